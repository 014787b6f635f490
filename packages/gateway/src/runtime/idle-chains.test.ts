// Rests on idle chains: how long they are, what ends them, and that all roles of a process share one look.
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import { createVirtualClock, type VirtualClock } from '@ducat/testkit/virtual-clock';
import { beforeEach, expect, it } from 'vitest';
import type { Reader } from '../db/postgres/tx.ts';
import { createIdleChains, type IdleChains } from './idle-chains.ts';

const BOUNDS = { least: 6_000, most: 15_000 };

let clock: VirtualClock;
let startMs: number;
/** Names of the chains in use, or the error of the query. */
let inUse: readonly string[] | Error;
/** How long the database takes for a look. */
let lookMs: number;
/** When the database was looked at, in milliseconds from the start. */
let looks: number[];
let warnings: number;
let idle: IdleChains;
beforeEach(() => {
  clock = createVirtualClock();
  startMs = clock.nowMs();
  [inUse, lookMs, looks, warnings] = [[], 0, [], 0];
  const reader: Reader = {
    read: async <Row>() => {
      looks.push(clock.nowMs() - startMs);
      if (lookMs > 0) await clock.sleep(lookMs);
      if (inUse instanceof Error) throw inUse;
      return inUse.map((chain) => ({ chain })) as Row[];
    },
  };
  idle = createIdleChains({ reader, world: clock, log: { warn: () => warnings++ } }, [eth, tron]);
});

const at = async (ms: number, change: () => void) => {
  await clock.sleep(ms);
  change();
};

/** Rests once; returns the milliseconds that it took, or false where the chain was in use. */
async function rest(
  chain: string | null = 'ETH',
  signal = new AbortController().signal,
): Promise<number | false> {
  const beganMs = clock.nowMs();
  const rested = await idle.rest(chain, BOUNDS, signal);
  return rested && clock.nowMs() - beganMs;
}

it('rests for a quarter of the time that the chain has been idle, within the bounds', async () => {
  const rests = async () => {
    const taken: (number | false)[] = [];
    for (let count = 0; count < 12; count++) taken.push(await rest());
    return taken;
  };
  const taken = await clock.run(rests());
  expect(taken.slice(0, 5)).toEqual([6_000, 6_000, 6_000, 6_000, 6_000]);
  expect(taken.slice(5)).toEqual([7_500, 9_375, 11_718.75, 14_648.4375, 15_000, 15_000, 15_000]);
});

it('does not rest where the chain is in use, whatever the others are', async () => {
  inUse = ['ETH'];
  expect(await clock.run(rest())).toBe(false);
  expect(await clock.run(rest(null))).toBe(false);
  expect(await clock.run(rest('Tron'))).toBe(6_000);
  expect(await idle.idleMs(null)).toBe(null);
});

it('ends a rest within three seconds once the chain is in use, and counts anew from then', async () => {
  const order = at(4_000, () => (inUse = ['ETH']));
  expect(await clock.run(rest())).toBe(6_000);
  const other = at(4_000, () => (inUse = []));
  expect(await clock.run(rest())).toBe(false);
  await clock.run(Promise.all([order, other]));
  expect(await clock.run(rest())).toBe(6_000);
  expect(await idle.idleMs('ETH')).toBe(6_000);
  await clock.run(at(60_000, () => undefined));
  const next = at(1_000, () => (inUse = ['ETH']));
  expect(await clock.run(rest())).toBe(3_000);
  await clock.run(next);
});

it('looks at the database once in three seconds for all that rest, and never without them', async () => {
  const all = Promise.all(['ETH', 'Tron', 'ETH', null].map((chain) => rest(chain)));
  expect(await clock.run(all)).toEqual([6_000, 6_000, 6_000, 6_000]);
  await clock.run(at(60_000, () => undefined));
  expect(looks).toEqual([0, 3_000]);
  expect(await Promise.all([idle.idleMs('ETH'), idle.idleMs(null)])).toEqual([66_000, 66_000]);
  expect(looks).toEqual([0, 3_000, 66_000]);
});

it('ends a rest at the signal', async () => {
  const stopping = new AbortController();
  void at(1_000, () => stopping.abort());
  expect(await clock.run(rest('ETH', stopping.signal))).toBe(1_000);
});

it('counts chains as in use, and says so, while the query fails', async () => {
  inUse = new Error('permission denied');
  expect(await clock.run(rest())).toBe(false);
  expect(warnings).toBe(1);
  inUse = [];
  await clock.run(at(3_000, () => undefined));
  expect(await clock.run(rest())).toBe(6_000);
});

it('does not wait long for a look, and counts chains as in use while it takes long', async () => {
  lookMs = 20_000;
  const waits: number[] = [];
  const poll = async () => {
    for (let polls = 0; polls < 100; polls++) {
      const beganMs = clock.nowMs();
      expect(await idle.rest('ETH', BOUNDS, new AbortController().signal)).toBe(false);
      waits.push(clock.nowMs() - beganMs);
      await clock.sleep(250);
    }
  };
  await clock.run(poll());
  expect(waits.filter((ms) => ms > 0)).toEqual([1_000, 1_000]);
  expect(looks).toEqual([0, 23_000]);
  lookMs = 0;
  await clock.run(at(30_000, () => undefined));
  expect(await clock.run(rest())).toBe(6_000);
});
