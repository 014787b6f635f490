// One endpoint of three that takes its time or never answers: what it costs the chain, and for how long.
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainPort } from '../port.ts';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { callCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import { type Instead, tracedNodes } from '@ducat/testkit/chains/evm/traced-nodes';
import { createEvmChain } from './evm-chain.ts';

const stranger = `0x${'c1'.repeat(20)}`;
const inside = { data: `0x${assemble(...callCode(stranger, 5n), 'STOP')}`, value: 5n, gas: 200_000 };
const definition = testDefinition({ blockTimeMs: 12_000 });
/** As many as the watcher reads at the same time. */
const atOnce = 16;
const perBlock = 4;
/** What one round costs at the most while the endpoint is found out. */
const mostMs = 80_000;
let payer: AnvilPayer;
let first: number;
beforeAll(async () => {
  payer = await AnvilPayer.start();
  for (let block = 0; block < atOnce; block++) {
    for (let sent = 1; sent < perBlock; sent++) await payer.send(inside);
    first = (await payer.sendAndMine(inside)).block - block;
  }
  await payer.chain.mine(6);
});
afterAll(() => payer.chain.stop());

function open(hosts: readonly string[], method: string, instead: Instead, of = definition) {
  const world = manualWorld();
  const nodes = tracedNodes(payer.chain.rpcUrl, world);
  nodes.change('slow', (question) => (question.method.startsWith(method) ? instead : null));
  const chain: ChainPort = createEvmChain({
    definition: of,
    rpcUrls: hosts.map((host) => `http://${host}`),
    world,
    fetch: nodes.fetch,
  });
  return {
    world,
    nodes,
    healthOf: (host: string) => chain.health().find(({ endpoint }) => endpoint === host),
    round: async () => {
      const fromMs = world.nowMs();
      const range = Array.from({ length: atOnce }, (_, place) => first + place);
      const told = await Promise.allSettled(
        range.map((number) => chain.readBlock(number, definition.currencies)),
      );
      const paid = told.map((one) =>
        one.status === 'rejected'
          ? 'outage'
          : one.value?.transfers.filter(({ to, amount }) => to === stranger && unitsOf(amount) === 5n).length,
      );
      return { paid, tookMs: world.nowMs() - fromMs };
    },
  };
}

const all = Array.from({ length: atOnce }, () => perBlock);
const orders = [
  ['slow', 'b', 'c'],
  ['b', 'slow', 'c'],
];

describe('a slow endpoint of three', () => {
  it.each([
    ['debug_', 'hangs'],
    ['debug_', 19_000],
    ['eth_getBlockReceipts', 'hangs'],
    ['eth_getBlockByNumber', 'hangs'],
    ['eth_getBlockByNumber', 19_000],
  ] as const)('at %s (%s) costs one round, and is put aside', async (method, instead) => {
    for (const hosts of orders) {
      const { round, world, healthOf } = open(hosts, method, instead);
      const found = await round();
      expect(found.paid).toEqual(all);
      expect(found.tookMs).toBeLessThanOrEqual(mostMs);
      // The second one of three is not asked for what it is slow at while nobody needs it.
      if (found.tookMs > 10_000)
        expect(healthOf('slow')).toMatchObject({
          healthy: false,
          lastError: expect.stringMatching(/takes longer than 10 s for a block|did not answer/),
        });
      expect(await round()).toEqual({ paid: all, tookMs: 0 });
      world.advance(300_000);
      expect((await round()).tookMs).toBeLessThanOrEqual(mostMs);
    }
  });

  it('is heard where the two do not tell the same', async () => {
    const { round, nodes } = open(['slow', 'b', 'c'], 'debug_', 19_000);
    await round();
    nodes.change('b', ({ method }) => (method.startsWith('debug_') ? { status: 500 } : null));
    expect((await round()).paid).toEqual(all);
  });
});

describe('a slow endpoint of three, where the others keep the state for a while', () => {
  const gone = ({ method }: { readonly method: string }): Instead | null =>
    method.startsWith('debug_') ? { error: 'missing trie node 4ffb' } : null;

  it('ends before 128 blocks of a fast chain have gone by', async () => {
    const blockTimeMs = 450;
    const { round, world, nodes } = open(['slow', 'b', 'c'], '', 0, testDefinition({ blockTimeMs }));
    nodes.change('slow');
    // What it traced is asked for first from then on, to see whether it traces at all.
    await round();
    nodes.change('slow', ({ method }) => (method.startsWith('debug_') ? 'hangs' : null));
    const untilMs = world.nowMs() + 128 * blockTimeMs;
    for (const host of ['b', 'c'])
      nodes.change(host, (question) => (world.nowMs() < untilMs ? null : gone(question)));
    expect((await round()).paid).toEqual(all);
  });

  it('is asked last the next time, where it was too late for them', async () => {
    const { round, world, nodes } = open(['slow', 'b', 'c'], 'debug_', 'hangs');
    const untilMs = world.nowMs() + 15_000;
    for (const host of ['b', 'c'])
      nodes.change(host, (question) => (world.nowMs() < untilMs ? null : gone(question)));
    expect((await round()).paid).toEqual(all.map(() => 'outage'));
    for (const host of ['b', 'c']) nodes.change(host);
    expect(await round()).toEqual({ paid: all, tookMs: 0 });
  });
});

describe('a slow endpoint of two', () => {
  it('is seen, and nothing is taken without its word', async () => {
    const { round, healthOf } = open(['b', 'slow'], 'debug_', 19_000);
    for (let time = 0; time < 2; time++) {
      expect((await round()).paid).toEqual(all);
      expect(healthOf('slow')).toMatchObject({ healthy: false });
    }
    const hanging = open(['slow', 'b'], 'debug_', 'hangs');
    expect((await hanging.round()).paid).toEqual(all.map(() => 'outage'));
  });
});
