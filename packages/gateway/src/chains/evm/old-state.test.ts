// A node that has thrown away what accounts held at an old block: it cannot trace it, and says so in many ways.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { type LyingProxy, startLyingProxy, type TamperBody } from '@ducat/testkit/chains/evm/lying-proxy';
import { type LyingStage, startLyingStage } from '@ducat/testkit/chains/evm/lying-stage';
import { hasThrownAway, namingOldState } from './old-state.ts';
import { NodeError } from './rpc.ts';

let stage: LyingStage;
let third: LyingProxy;
beforeAll(async () => {
  stage = await startLyingStage();
  third = await startLyingProxy(stage.payer.chain.rpcUrl);
});
afterAll(async () => {
  await third.stop();
  await stage.stop();
});
beforeEach(() => {
  for (const proxy of [stage.liar, stage.honest, third]) proxy.lie();
});

const pruned = 'required historical state unavailable (reexec=128)';

/** Answers every question for a trace with that error. */
function without(message: string, code = -32_000): TamperBody {
  return (body, methods) => {
    if (!methods.some((method) => method.startsWith('debug_trace'))) return { body };
    const change = ({ id }: { readonly id: number }): unknown => ({
      jsonrpc: '2.0',
      id,
      error: { code, message },
    });
    const answers = JSON.parse(body);
    return { body: JSON.stringify(Array.isArray(answers) ? answers.map(change) : change(answers)) };
  };
}

const read = (...proxies: readonly LyingProxy[]) =>
  stage.chainOf(proxies.map(({ url }) => url)).readBlock(stage.block, stage.currencies);

describe('a node without old state', () => {
  it('is named as such, with what is to be done', async () => {
    stage.liar.lie({ body: without(pruned) });
    const failure = read(stage.liar);
    await expect(failure).rejects.toMatchObject({ kind: 'no-old-state', retryable: true });
    await expect(failure).rejects.toThrow(
      /127\.0\.0\.1:\d+ has no state of the time of block \d+ to trace it with.*rpc_urls.*traces = "none".*reexec=128/,
    );
  });

  it('is named where it traces a block as a whole and says so of one transaction', async () => {
    const single = without(pruned);
    stage.liar.lie({
      result: (method, result) =>
        method === 'debug_traceBlockByHash' && Array.isArray(result)
          ? result.map((one: unknown, place) => (place === 0 ? { error: pruned } : one))
          : result,
      body: (body, methods) =>
        methods.includes('debug_traceTransaction') ? single(body, methods) : { body },
    });
    await expect(read(stage.liar)).rejects.toMatchObject({ kind: 'no-old-state' });
  });

  it('is named where it is the second of two, and does not matter where two others trace', async () => {
    stage.liar.lie({ body: without(pruned) });
    await expect(read(stage.honest, stage.liar)).rejects.toMatchObject({ kind: 'no-old-state' });
    await expect(read(stage.liar, stage.honest)).rejects.toMatchObject({ kind: 'no-old-state' });
    const truth = await read(stage.honest);
    for (const proxies of [
      [stage.liar, stage.honest, third],
      [stage.honest, stage.liar, third],
    ]) {
      expect(await read(...proxies)).toEqual(truth);
    }
  });
});

describe('namingOldState', () => {
  const kindOf = (message: string): string => {
    try {
      return namingOldState(7)(new NodeError(`answered error -32000: ${message}`, -32_000));
    } catch (error) {
      return error instanceof Outage ? error.kind : String(error);
    }
  };
  it.each([
    'historical state unavailable',
    'historical state not available in path scheme yet',
    'missing trie node 4ffb (path ) state 0x30 is not available, not found',
    'state 0x3068 is not available',
    'State at block #11052984 is pruned',
    'No state available for block 11052984',
    'World state unavailable for block',
    'history has been pruned for this block',
    'this request needs an archive node',
    'Archive requests are not part of your plan',
  ])('knows "%s"', (message) => {
    expect(kindOf(message)).toBe('no-old-state');
  });
  it.each([
    'execution reverted',
    'header not found',
    'the method debug_traceBlockByHash is not available',
    'invalid state',
    'service unavailable',
  ])('leaves "%s" as it is', (message) => {
    expect(kindOf(message)).toBe('unavailable');
  });
  it('leaves everything alone that is no answer of a node', () => {
    const gone = new Outage('historical state unavailable', { retryable: true });
    expect(() => namingOldState(7)(gone)).toThrow(gone);
  });
});

it.each([
  ['missing trie node 4ffb', true],
  ['required historical state unavailable (reexec=128)', true],
  ['Archive requests are not part of your plan', false],
  ['historical state needs an archive node', false],
  ['execution reverted', false],
])('hasThrownAway: "%s" is the word of a node that looked: %s', (message, isLooked) => {
  expect(hasThrownAway(new NodeError(message, -32_000))).toBe(isLooked);
});
