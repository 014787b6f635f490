// JSON-RPC with one provider: only a complete answer to the very request counts, and each error has its kind.
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { describe, expect, it } from 'vitest';
import { splitUrl } from '../rpc/url-secrets.ts';
import { JsonRpc } from './json-rpc.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A client of a provider that answers with what `answer` makes of the call or the batch. */
function rpcWith(answer: (sent: Call & readonly Call[]) => unknown): JsonRpc {
  return new JsonRpc({
    name: 'rpc.test',
    target: splitUrl('https://rpc.test/v3/deadbeefcafe'),
    world: manualWorld(),
    observer: null,
    throttlingStatus: new Set([429]),
    http: async ({ body }) => {
      const made = answer(JSON.parse(body));
      const text = typeof made === 'string' ? made : JSON.stringify(made);
      return { status: 200, body: bytesOf(text) };
    },
  });
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

/** The node's result is the first parameter. */
const echo = ({ id, params }: Call): object => ({ jsonrpc: '2.0', id, result: params[0] });

describe('a call', () => {
  it('gives the result, whatever JSON that is', async () => {
    for (const result of [null, '0x1', 7, true, [1, { a: 'ü"' }], {}])
      expect(await rpcWith(echo).call('echo', [result])).toEqual(result);
    const answer = await rpcWith(echo).read('echo', [{ a: ['0x1'] }]);
    expect(answer?.tape.text((answer.tape.field(answer.place, 'a') ?? -1) + 1)).toBe('0x1');
    expect(await rpcWith(echo).read('echo', [null])).toBeNull();
  });

  it.each<readonly [string, (call: Call) => unknown, string]>([
    ['the id of another request', ({ id }) => ({ id: id + 1, result: 1 }), 'id of another request'],
    ['an id as text', ({ id }) => ({ id: String(id), result: 1 }), 'id of another request'],
    ['no id', () => ({ result: 1 }), 'id of another request'],
    ['neither result nor error', ({ id }) => ({ id }), 'neither a result nor an error'],
    ['a list', ({ id }) => [{ id, result: 1 }], 'id of another request'],
    ['a page', () => '<html>busy now</html>', 'malformed or truncated JSON'],
    ['nothing', () => '', 'malformed or truncated JSON'],
    ['half an answer', ({ id }) => `{"id":${id},"result":["0x1"`, 'malformed or truncated JSON'],
  ])('is not answered by %s', async (_name, answer, reason) => {
    const failure = rpcWith(answer).call('eth_chainId', []);
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toMatchObject({ name: 'Outage', kind: 'invalid' });
  });
});

describe('an error of the node', () => {
  it.each<readonly [number, string, object]>([
    [-32_601, 'the method trace_block does not exist/is not available', { kind: 'unsupported' }],
    [-32_000, 'method not supported', { kind: 'unsupported' }],
    [-32_000, 'historical state abcd is not available', { kind: 'unsupported' }],
    [-32_000, 'missing trie node 12ab (path )', { kind: 'unsupported' }],
    [-32_000, 'state at block #5 is pruned', { kind: 'unsupported' }],
    [-32_000, 'this request needs an archive node', { kind: 'unsupported' }],
    [-32_000, 'header not found', { kind: 'not-yet' }],
    [-32_001, 'resource', { kind: 'not-yet' }],
    [-32_000, 'transaction indexing is in progress', { kind: 'not-yet' }],
    [-32_005, 'limit exceeded', { kind: 'throttled' }],
    [-32_016, 'over rate limit', { kind: 'throttled' }],
    [-32_000, 'response size exceeded', { kind: 'invalid', isLate: false }],
    [-32_000, 'request timed out', { kind: 'unavailable', isLate: true }],
    [-32_603, 'internal error at /v3/deadbeefcafe', { kind: 'unavailable', code: -32_603 }],
  ])('%i %s is named as what it is', async (code, message, outage) => {
    const failure = rpcWith(({ id }) => ({ id, error: { code, message } })).call('eth_call', []);
    await expect(failure).rejects.toMatchObject({ name: 'Outage', ...outage });
    await expect(failure).rejects.not.toThrow('deadbeef');
  });

  it('is taken also where the node could not read the id, and never beside a result', async () => {
    const error = { code: -32_700, message: 'parse error' };
    await expect(rpcWith(() => ({ id: null, error })).call('x', [])).rejects.toThrow('parse error');
    await expect(rpcWith(({ id }) => ({ id, error, result: 1 })).call('x', [])).rejects.toThrow(
      'parse error',
    );
    expect(await rpcWith(({ id }) => ({ id, error: null, result: 1 })).call('x', [])).toBe(1);
  });

  it('of a call that reverted is known by its data, and its words are those of the contract', async () => {
    const reverted = (data: unknown) =>
      rpcWith(({ id }) => ({ id, error: { code: 3, message: 'execution reverted: rate limit', data } }));
    for (const data of ['0xab', 'Reverted 0xab'])
      await expect(reverted(data).call('eth_call', [])).rejects.toMatchObject({
        kind: 'unavailable',
        hasReverted: true,
      });
    await expect(reverted(undefined).call('eth_call', [])).rejects.toMatchObject({ kind: 'throttled' });
  });
});

describe('a batch', () => {
  const requests = Array.from({ length: 250 }, (_, index) => ({ method: 'echo', params: [index] }));

  it('is split, and its results are in the order asked, whatever order they come in', async () => {
    const sizes: number[] = [];
    const rpc = rpcWith((calls) => {
      sizes.push(calls.length);
      return calls.map(echo).toReversed();
    });
    const results = await rpc.batch(requests);
    expect(results.map(({ tape, place }) => Number(tape.text(place)))).toEqual([...requests.keys()]);
    expect(sizes).toEqual([100, 100, 50]);
    expect(await rpc.batch([])).toEqual([]);
  });

  it.each<readonly [string, (calls: readonly Call[]) => unknown, string]>([
    ['two answers to one request', (calls) => [...calls.map(echo), echo(calls[0]!)], 'answered 3 of 2'],
    ['an answer less', (calls) => [echo(calls[0]!)], 'answered 1 of 2'],
    ['the same answer twice', (calls) => [echo(calls[0]!), echo(calls[0]!)], 'id of another request'],
    ['one error for all', () => ({ id: null, error: { code: 1, message: 'too many' } }), 'error 1: too many'],
    ['one result for all', (calls) => echo(calls[0]!), 'answered 0 of 2'],
    [
      'an error among them',
      ([one, two]) => [echo(one!), { id: two!.id, error: { code: 5, message: 'no' } }],
      'error 5: no',
    ],
    ['something else', () => '7', 'id of another request'],
  ])('is not answered by %s', async (_name, answer, reason) => {
    await expect(rpcWith(answer).batch(requests.slice(0, 2))).rejects.toThrow(reason);
  });
});
