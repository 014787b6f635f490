// One endpoint: its deadline, what it tells the observer, and batches of more than fit into one.
import { describe, expect, it } from 'vitest';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import type { RpcObservation } from '../endpoint/rpc-observer.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { createRpc, type Rpc } from './rpc.ts';

type Fetch = typeof globalThis.fetch;

function rpcWith(fetch: Fetch): {
  readonly rpc: Rpc;
  readonly seen: RpcObservation[];
  readonly advance: (ms: number) => void;
} {
  const world = manualWorld();
  const seen: RpcObservation[] = [];
  const observer = { onRequest: (observation: RpcObservation) => void seen.push(observation) };
  const rpc = createRpc({
    url: 'http://rpc.test',
    name: 'rpc.test',
    world,
    fetch,
    observer,
    timeoutMs: 5_000,
    maxBodyBytes: 1_000_000,
  });
  return { rpc, seen, advance: (ms) => world.advance(ms) };
}

function questionOf(init: RequestInit | undefined): unknown {
  if (typeof init?.body !== 'string') throw new Error('a question is text');
  return JSON.parse(init.body);
}

/** Answers each question with its own first parameter. */
const echo: Fetch = async (_url, init) => {
  const question = questionOf(init);
  const answer = (one: { id: number; params: unknown[] }): unknown => ({
    jsonrpc: '2.0',
    id: one.id,
    result: one.params[0],
  });
  // A node may answer a batch in any order.
  return Response.json(
    Array.isArray(question) ? question.map(answer).toReversed() : answer(question as never),
  );
};

/** Never answers, but ends when it is told to. */
const silent: Fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });

describe('createRpc', () => {
  it('takes no answer that has more parts than its bytes can mean, and says that it is too much', async () => {
    const { rpc } = rpcWith(() => Promise.resolve(new Response(`[${'{},'.repeat(100_000)}{}]`)));
    await expect(rpc.call('eth_getBlockByNumber', [])).rejects.toThrow(TooMuch);
  });

  it('gives up at the deadline, by the clock of the world', async () => {
    const { rpc, seen, advance } = rpcWith(silent);
    const answer = rpc.call('eth_chainId', []);
    const failure = expect(answer).rejects.toMatchObject({
      message: 'did not answer within 5000 ms',
      retryable: true,
    });
    await Promise.resolve();
    advance(5_000);
    await failure;
    expect(seen).toEqual([{ endpoint: 'rpc.test', method: 'eth_chainId', ms: 5_000, ok: false }]);
  });

  it('splits a large batch and gives the results in the order asked', async () => {
    const { rpc, seen } = rpcWith(echo);
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    const requests = numbers.map((number) => ({ method: 'eth_getBalance', params: [number] }));
    expect(await rpc.batch(requests)).toEqual(numbers);
    expect(seen.map(({ method, ok }) => `${method} ${ok}`)).toEqual(
      Array.from({ length: 3 }, () => 'eth_getBalance true'),
    );
    expect(await rpc.batch([])).toEqual([]);
  });

  it('does not choose between two answers to one request of a batch', async () => {
    const { rpc } = rpcWith(async (...question) => {
      const honest: unknown = await (await echo(...question)).json();
      return Response.json([honest, honest].flat());
    });
    await expect(rpc.batch([{ method: 'eth_getBalance', params: [1] }])).rejects.toThrow(
      'answered 2 of 1 requests',
    );
  });

  it('tells a node that is not reachable by the code of the error', async () => {
    const { rpc } = rpcWith(async () => {
      throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
    });
    await expect(rpc.call('eth_chainId', [])).rejects.toThrow('cannot be reached (ENOTFOUND)');
  });

  it('keeps the code of an error that the node itself answers', async () => {
    const { rpc } = rpcWith(async (_url, init) => {
      const { id } = questionOf(init) as { id: number };
      return Response.json({
        jsonrpc: '2.0',
        id,
        error: { code: -32_601, message: 'the method does not exist' },
      });
    });
    await expect(rpc.call('nope', [])).rejects.toMatchObject({ code: -32_601, retryable: true });
  });
});
