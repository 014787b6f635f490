// Traces that an endpoint does not tell now: waited for, counted as too much only by their bytes, or passed at last.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import type { ChainBlock, ChainPort } from '../port.ts';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { callCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { type ManualWorld, manualWorld } from '@ducat/testkit/chains/manual-world';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import {
  type Instead,
  type Manner,
  type Question,
  type TracedNodes,
  tracedNodes,
} from '@ducat/testkit/chains/evm/traced-nodes';
import { createEvmChain } from './evm-chain.ts';

const stranger = `0x${'c1'.repeat(20)}`;
const inside = { data: `0x${assemble(...callCode(stranger, 5n), 'STOP')}`, value: 5n, gas: 200_000 };
const definition = testDefinition();
const minutes = 60_000;
let payer: AnvilPayer;
/** A block of twenty transactions that each pay the stranger inside them. */
let busy: number;
/** One of them. */
let heavy: string;
/** A block with one such transaction alone. */
let lone: number;
let world: ManualWorld;
let nodes: TracedNodes;
beforeAll(async () => {
  payer = await AnvilPayer.start();
  for (let sent = 0; sent < 19; sent++) await payer.send(inside);
  ({ block: busy, id: heavy } = await payer.sendAndMine(inside));
  ({ block: lone } = await payer.sendAndMine(inside));
  await payer.chain.mine(6);
});
afterAll(() => payer.chain.stop());
beforeEach(() => {
  world = manualWorld();
  nodes = tracedNodes(payer.chain.rpcUrl, world);
});

const chainOf = (...hosts: readonly string[]): ChainPort => open(hosts, definition);
const open = (hosts: readonly string[], of: ChainDefinition): ChainPort =>
  createEvmChain({
    definition: of,
    rpcUrls: hosts.map((host) => `http://${host}`),
    world,
    fetch: nodes.fetch,
  });
const read = (chain: ChainPort, block = busy): Promise<ChainBlock | null> =>
  chain.readBlock(block, definition.currencies);
const paid = (block: ChainBlock | null): number =>
  block?.transfers.filter(({ to, amount }) => to === stranger && unitsOf(amount) === 5n).length ?? 0;
const isTrace = ({ method }: { readonly method: string }): boolean => method.startsWith('debug_');
const failsAtTraces =
  (instead: Instead): Manner =>
  (question) =>
    isTrace(question) ? instead : null;
/** Fails at the whole block and at that one transaction. */
const failsAtHeavy =
  (instead: Instead): Manner =>
  (question) =>
    question.method === 'debug_traceBlockByHash' || (isTrace(question) && question.params[0] === heavy)
      ? instead
      : null;
const away: readonly (readonly [string, Instead])[] = [
  ['HTTP 504', { status: 504 }],
  ['HTTP 413', { status: 413 }],
  ['"request timed out"', { error: 'request timed out' }],
  ['"response size exceeded"', { error: 'response size exceeded' }],
  ['silence', 'hangs'],
  ['HTTP 502', { status: 502 }],
  ['a reset', 'resets'],
  ['an error of its own', { error: 'tracing failed: memory limit reached' }],
];

describe('a trace backend that is away', () => {
  it.each(away)('by %s is waited for, however long that takes', async (_name, instead) => {
    for (const hosts of [['a'], ['a', 'b'], ['b', 'a']]) {
      nodes.change('a', failsAtTraces(instead));
      const chain = chainOf(...hosts);
      for (let time = 0; time < 4; time++) {
        await expect(read(chain)).rejects.toThrow(Outage);
        const trouble = {
          endpoint: 'a',
          healthy: false,
          lastError: expect.stringMatching(/traces nothing now|takes longer than 10 s for a block/),
        };
        expect(chain.health()).toContainEqual(trouble);
        world.advance(5 * minutes);
      }
      nodes.change('a');
      const told = await read(chain);
      expect([paid(told), told?.untraced]).toEqual([20, []]);
      expect(chain.health().every(({ healthy }) => healthy)).toBe(true);
    }
  });

  it.each(away)('by %s makes two others decide', async (_name, instead) => {
    nodes.change('a', failsAtTraces(instead));
    for (const hosts of [
      ['a', 'b', 'c'],
      ['b', 'a', 'c'],
      ['b', 'c', 'a'],
    ]) {
      const told = await read(chainOf(...hosts));
      expect([paid(told), told?.untraced]).toEqual([20, []]);
    }
  });
});

describe('one transaction that an endpoint does not trace, while it traces others', () => {
  const patience: readonly (readonly [string, Instead, number])[] = [
    ['HTTP 504', { status: 504 }, 5 * minutes],
    ['"execution timeout"', { error: 'execution timeout' }, 5 * minutes],
    ['silence', 'hangs', 5 * minutes],
    ['HTTP 502', { status: 502 }, 5 * minutes],
    ['a reset', 'resets', 5 * minutes],
    ['an error of its own', { error: 'tracing failed: memory limit reached' }, 5 * minutes],
    ['"response size exceeded"', { error: 'response size exceeded' }, 10_000],
  ];
  it.each(patience)('by %s is waited for, then named, and nobody rests', async (_name, instead, ms) => {
    for (const hosts of [['a'], ['a', 'b']]) {
      nodes.change('a', failsAtHeavy(instead));
      const chain = chainOf(...hosts);
      for (let time = 0; time < 2; time++) {
        await expect(read(chain)).rejects.toMatchObject({ kind: 'unreadable-block' });
        world.advance(ms / 2);
      }
      const told = await read(chain);
      expect(told?.untraced).toEqual([{ txId: heavy, reason: 'too-much-to-trace' }]);
      expect(paid(told)).toBe(19);
      expect(nodes.asked('a').filter(isTrace).length).toBeGreaterThan(19);
    }
  });

  it.each(patience)('by %s makes nobody rest', async (_name, instead) => {
    nodes.change('a', failsAtHeavy(instead));
    const chain = chainOf('a');
    for (let time = 0; time < 4; time++)
      await expect(read(chain)).rejects.toMatchObject({ kind: 'unreadable-block' });
    expect(await chain.head()).toBeGreaterThan(busy);
  });

  it('is passed where the state that it ran on is gone meanwhile', async () => {
    const chain = chainOf('a');
    await read(chain);
    const { transfers } = (await read(chain, lone)) ?? {};
    const id = transfers?.[0]?.txId;
    const hash = (await chain.headers(lone, lone))[0]?.hash;
    const failsAtLone =
      (error: string): Manner =>
      (question) =>
        isTrace(question) && [id, hash].includes(String(question.params[0])) ? { error } : null;
    const late = chainOf('a');
    await read(late);
    for (let time = 0; time < 2; time++) {
      nodes.change('a', failsAtLone('execution timeout'));
      await expect(read(late, lone)).rejects.toMatchObject({ kind: 'unreadable-block' });
      world.advance(1_000);
    }
    nodes.change('a', failsAtLone('required historical state unavailable'));
    expect((await read(late, lone))?.untraced).toEqual([{ txId: id, reason: 'too-much-to-trace' }]);
    // Nobody knows that of one that was never asked for while others were traced.
    const anew = chainOf('a');
    await read(anew);
    for (let time = 0; time < 4; time++) {
      await expect(read(anew, lone)).rejects.toMatchObject({ kind: 'no-old-state' });
      world.advance(5 * minutes);
    }
  });

  it('is what two others tell of three', async () => {
    nodes.change('a', failsAtHeavy({ error: 'execution timeout' }));
    const told = await read(chainOf('a', 'b', 'c'));
    expect([paid(told), told?.untraced]).toEqual([20, []]);
  });

  it('is passed where two of three do not trace it, though the third one is away', async () => {
    for (const host of ['a', 'b']) nodes.change(host, failsAtHeavy({ error: 'response size exceeded' }));
    nodes.change('c', () => ({ status: 503 }));
    const chain = chainOf('a', 'b', 'c');
    for (let time = 0; time < 2; time++) {
      await expect(read(chain)).rejects.toThrow(Outage);
      world.advance(5_000);
    }
    expect((await read(chain))?.untraced).toEqual([{ txId: heavy, reason: 'too-much-to-trace' }]);
  });
});

/** What is read at last of the busy block, in rounds that far apart. */
async function readAtLast(chain: ChainPort, everyMs: number): Promise<ChainBlock | null> {
  for (let round = 0; round < 15; round++) {
    const told = await read(chain).catch((error: unknown) => {
      if (error instanceof Outage) return null;
      throw error;
    });
    if (told !== null) return told;
    world.advance(everyMs);
  }
  return null;
}

describe('one transaction that takes down what traces it', () => {
  const isWhole = ({ method }: Question): boolean => method === 'debug_traceBlockByHash';
  const isHeavy = (question: Question): boolean => isTrace(question) && question.params[0] === heavy;
  /** From such a question on, such ones are answered by that status for so long. */
  const breaks = (
    by: (one: Question) => boolean,
    takes: (one: Question) => boolean,
    ms: number,
    status = 502,
  ): Manner => {
    let untilMs = 0;
    return (question) => {
      if (world.nowMs() >= untilMs && by(question)) untilMs = world.nowMs() + ms;
      return world.nowMs() < untilMs && takes(question) ? { status } : null;
    };
  };
  const manners: readonly (readonly [string, () => Manner])[] = [
    [
      'the whole node',
      () =>
        breaks(
          (one) => isWhole(one) || isHeavy(one),
          () => true,
          5_000,
        ),
    ],
    ['the tracing', () => breaks((one) => isWhole(one) || isHeavy(one), isTrace, 2_000)],
    [
      'the whole node, asked for it alone',
      () => {
        const breaking = breaks(isHeavy, () => true, 5_000);
        return (one) => (isWhole(one) ? { error: 'response size exceeded' } : breaking(one));
      },
    ],
    [
      'the tracing behind a gateway',
      () => breaks((one) => isWhole(one) || isHeavy(one), isTrace, 2_000, 503),
    ],
    [
      'the whole node behind a gateway',
      () =>
        breaks(
          (one) => isWhole(one) || isHeavy(one),
          () => true,
          5_000,
          503,
        ),
    ],
    ['nothing but answers HTTP 503', () => failsAtHeavy({ status: 503 })],
    ['nothing but answers HTTP 429', () => failsAtHeavy({ status: 429 })],
  ];
  it.each(manners)('(%s) is passed, and no other one', async (_name, mannerOf) => {
    for (const hosts of [['a'], ['a', 'b']]) {
      nodes.change('a');
      const chain = chainOf(...hosts);
      await read(chain, lone);
      nodes.change('a', mannerOf());
      const told = await readAtLast(chain, minutes);
      expect([paid(told), told?.untraced]).toEqual([19, [{ txId: heavy, reason: 'too-much-to-trace' }]]);
    }
  });
});

describe('where nodes keep the state of 128 blocks', () => {
  it('a transaction that is met with silence does not make it too late on a fast chain', async () => {
    const blockTimeMs = 450;
    const chain = open(['a', 'b', 'c'], testDefinition({ blockTimeMs }));
    await read(chain, lone);
    const untilMs = world.nowMs() + 128 * blockTimeMs;
    const silent = failsAtHeavy('hangs');
    for (const host of ['a', 'b', 'c'])
      nodes.change(host, (question) =>
        isTrace(question) && world.nowMs() >= untilMs
          ? { error: 'missing trie node 4ffb' }
          : silent(question),
      );
    const told = await readAtLast(chain, 5_000);
    expect([paid(told), told?.untraced]).toEqual([19, [{ txId: heavy, reason: 'too-much-to-trace' }]]);
  });

  it('a backend that has thrown away what it traced last still shows that it works', async () => {
    const chain = chainOf('a');
    await read(chain);
    const { transfers } = (await read(chainOf('b'), lone)) ?? {};
    const id = transfers?.[0]?.txId;
    const hash = (await chain.headers(lone, lone))[0]?.hash;
    nodes.change('a', (question) => {
      if (!isTrace(question)) return null;
      return [id, hash].includes(String(question.params[0]))
        ? { error: 'execution timeout' }
        : { error: 'missing trie node 4ffb' };
    });
    for (let time = 0; time < 2; time++) {
      await expect(read(chain, lone)).rejects.toMatchObject({ kind: 'unreadable-block' });
      world.advance(minutes);
    }
    expect((await read(chain, lone))?.untraced).toEqual([{ txId: id, reason: 'too-much-to-trace' }]);
  });
});

it('one that traces whole blocks alone is asked for the whole again after it was away', async () => {
  const chain = chainOf('a', 'b');
  const hosts = ['a', 'b'];
  for (const host of hosts) nodes.change(host, failsAtTraces({ status: 504 }));
  await expect(read(chain)).rejects.toThrow(Outage);
  const noSingle: Manner = ({ method }) =>
    method === 'debug_traceTransaction' ? { error: 'the method does not exist' } : null;
  for (const host of hosts) nodes.change(host, noSingle);
  let block: ChainBlock | null = null;
  for (let round = 0; round < 4 && block === null; round++) {
    world.advance(minutes);
    block = await read(chain).catch(() => null);
  }
  expect(paid(block)).toBe(20);
});

it('one that was told to ask less often asks for the whole again, and not for each transaction', async () => {
  for (const hosts of [['a'], ['a', 'b']]) {
    const chain = chainOf(...hosts);
    await read(chain, lone);
    const goneMs = world.nowMs() + minutes;
    let isFirst = true;
    for (const host of hosts) {
      let sinceMs = 0;
      let left = 0;
      nodes.change(host, (question) => {
        if (!isTrace(question)) return null;
        if (world.nowMs() >= goneMs) return { error: 'missing trie node 4ffb' };
        if (world.nowMs() !== sinceMs) [sinceMs, left] = [world.nowMs(), 6];
        const isRefused = left-- <= 0 || (isFirst && question.method === 'debug_traceBlockByHash');
        if (isRefused) isFirst = false;
        return isRefused ? { status: 429 } : null;
      });
    }
    const told = await readAtLast(chain, 20_000);
    expect([paid(told), told?.untraced]).toEqual([20, []]);
    expect(world.nowMs()).toBeLessThan(goneMs);
  }
});

it('a backend that is away behind one that sells no old states is waited for', async () => {
  for (const hosts of [['a'], ['a', 'b']]) {
    const chain = chainOf(...hosts);
    const { transfers } = (await read(chain, lone)) ?? {};
    const old = transfers?.[0]?.txId;
    nodes.change('a', (question) => {
      if (!isTrace(question)) return null;
      return question.params[0] === old
        ? { error: 'archive requests are not part of your plan' }
        : { status: 504 };
    });
    for (let round = 0; round < 12; round++) {
      await expect(read(chain)).rejects.toThrow('traces nothing now');
      world.advance(minutes);
    }
    nodes.change('a');
    const told = await readAtLast(chain, minutes);
    expect([paid(told), told?.untraced]).toEqual([20, []]);
  }
});
