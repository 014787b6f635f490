// One endpoint that takes its time: how long two others wait for it, and for whom it is heard all the same.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { unitsOf } from '@ducat/core/money/amount';
import { EndpointPool } from '../endpoint/endpoint-pool.ts';
import { NeedsRoom } from '../endpoint/needs-room.ts';
import { call, tokenHex, tokenLog } from '@ducat/testkit/chains/tron/read-bytes';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { bytes, mineBytes, ownerHex, recipientHex } from '@ducat/testkit/chains/tron/tron-bytes';
import { TronEndpoint } from './endpoint.ts';
import { type NodeApi, NodeError } from './node-api.ts';
import { readSolid } from './read-solid.ts';
import { watchedOf } from './watched.ts';

const watched = watchedOf([testCurrency(1000, null), testCurrency(1001, tokenHex)], 'debug');
const inner = {
  caller_address: tokenHex,
  transferTo_address: recipientHex,
  callValueInfo: [{ callValue: 3n }],
  note: Buffer.from('call').toString('hex'),
};
const firstHeight = 10;
/** As many as the watcher reads at the same time. */
const mined = Array.from({ length: 16 }, (_, place) =>
  mineBytes(firstHeight + place, [
    {
      raw: call(bytes(1, ownerHex) + bytes(2, tokenHex)),
      executed: 'SUCCESS',
      receipt: { log: [tokenLog], internal_transactions: [inner] },
    },
  ]),
);
const all = [5n, 3n];
const roundMs = 16 * 3_000;

class OnAnyChain extends TronEndpoint {
  protected override checkIdentity(): Promise<void> {
    return Promise.resolve();
  }
}

interface Node {
  /** For each call, below the time limit; it pads its answers beyond what is read beside others. */
  readonly slowMs?: number;
  /** Heights of which it tells what contracts sent; all unless given. */
  readonly inner?: readonly number[];
  /** Heights of which it does not show the block. */
  readonly unshown?: readonly number[];
  /** Heights of which it tells forged logs. */
  readonly forged?: readonly number[];
}

function answerOf({ inner: told, unshown = [], forged = [] }: Node): NodeApi {
  return async (name, question) => {
    const height = Number(question['num'] ?? question['id_or_num']);
    const block = mined[height - firstHeight];
    if (name === 'getblock') return { ...block?.block, transactions: undefined };
    if (block === undefined) return name === 'getblockbynum' ? {} : [];
    if (name === 'getblockbynum') {
      if (unshown.includes(height)) throw new NodeError('answered error: JSONException');
      return block.block;
    }
    const log = [{ ...tokenLog, data: '9'.padStart(64, '0') }];
    return block.receipts.map((one) => ({
      ...one,
      ...(told?.includes(height) === false ? { internal_transactions: undefined } : {}),
      ...(forged.includes(height) ? { log } : {}),
    }));
  };
}

function open(...nodes: readonly Node[]) {
  const world = manualWorld();
  const asked = nodes.map(() => 0);
  const definition = testDefinition({ family: 'tron' });
  const endpoints = nodes.map((node, index) => {
    const answer = answerOf(node);
    const { slowMs } = node;
    const direct: NodeApi = async (name, question) => {
      asked[index] = (asked[index] ?? 0) + 1;
      if (slowMs !== undefined) {
        // Whoever is fast has answered by then.
        await turn();
        world.advance(slowMs);
      }
      return answer(name, question);
    };
    const padded: NodeApi = async () => {
      throw new NeedsRoom('is too large');
    };
    const narrow = slowMs === undefined ? direct : padded;
    const views = { full: narrow, solid: narrow };
    const wide = { full: direct, solid: direct };
    return new OnAnyChain({ name: `node#${index + 1}`, ...views, wide, unhurried: wide, definition, world });
  });
  const pool = new EndpointPool('TRON', endpoints);
  return {
    world,
    asked,
    healthy: () => pool.health().map(({ healthy }) => healthy),
    trouble: (index: number) => pool.health()[index]?.lastError,
    round: async () => {
      const fromMs = world.nowMs();
      const told = await Promise.allSettled(
        mined.map((_, place) => readSolid(pool, 'TRON', firstHeight + place, watched)),
      );
      const moved = told.map((one) =>
        one.status === 'rejected'
          ? one.reason.kind
          : one.value.transfers.map(({ amount }) => unitsOf(amount)),
      );
      return { moved, tookMs: world.nowMs() - fromMs };
    },
  };
}

const slow: Node = { slowMs: 8_000 };

describe('a slow endpoint of three', () => {
  it.each([0, 1, 2])('at place %i makes no chain fall behind, and is seen', async (place) => {
    const nodes = [{}, {}];
    const { round, world, healthy, trouble } = open(...nodes.slice(0, place), slow, ...nodes.slice(place));
    expect(healthy()).toEqual([true, true, true]);
    const first = await round();
    expect(first.moved).toEqual(mined.map(() => all));
    expect(first.tookMs).toBeLessThan(roundMs);
    expect(healthy()).toEqual([0, 1, 2].map((one) => one !== place));
    expect(trouble(place)).toBe('takes longer than 10 s for a block');
    expect(await round()).toEqual({ moved: first.moved, tookMs: 0 });
    // It is tried again later, and costs no more than before.
    world.advance(300_000);
    expect((await round()).tookMs).toBeLessThan(roundMs);
  });

  it('is heard where the two do not tell the same, also after it kept them waiting', async () => {
    const { round, asked } = open({ forged: [14] }, {}, slow);
    await round();
    const before = asked[2] ?? 0;
    const { moved, tookMs } = await round();
    expect(moved).toEqual(mined.map(() => all));
    expect(tookMs).toBe(2 * 8_000);
    expect(asked[2]).toBe(before + 2);
  });

  // hits mark: spare-beside-those-who-keep-inner
  it('is heard as long as the two have not shown that they keep inner transfers', async () => {
    const { round } = open({ inner: [] }, { inner: [] }, { ...slow, inner: [20] });
    const moved = mined.map((_, place) => (firstHeight + place === 20 ? 'inner-disagreement' : [5n]));
    for (let time = 0; time < 2; time++) expect((await round()).moved).toEqual(moved);
  });

  it('does not make two forget for how long they have not shown a block', async () => {
    for (const inner of [undefined, []]) {
      const one = { ...(inner && { inner }), unshown: [10] };
      const { round } = open(one, one, { ...one, ...slow });
      expect((await round()).moved[0]).toBe('unreadable-block');
      expect((await round()).moved[0]).toBe('unreadable-block');
      await round();
      // Its own askings count too: what it shows would be believed.
      const moved = inner === undefined ? all : [5n];
      expect((await round()).moved).toEqual([[5n], ...mined.slice(1).map(() => moved)]);
    }
  });

  it.each([true, false])(
    'that shows what two cannot is believed, though it kept them waiting (%s)',
    async (isFirst) => {
      const one = { unshown: [10] };
      const { round } = open(...(isFirst ? [slow, one, one] : [one, one, slow]));
      await round();
      for (let time = 0; time < 3; time++) expect((await round()).moved).toEqual(mined.map(() => all));
    },
  );
});

describe('a slow endpoint of two', () => {
  it('is seen, and nothing is taken without its word', async () => {
    const { round, trouble } = open({}, slow);
    for (let time = 0; time < 2; time++) {
      expect(await round()).toEqual({ moved: mined.map(() => all), tookMs: 16 * 2 * 8_000 });
      expect(trouble(1)).toBe('takes longer than 10 s for a block');
    }
  });
});
