// How long the search waits for a trace: only the time counts in which nothing but traces failed.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { insertTestOrder } from '@ducat/testkit/fixtures';
import type { FakeProvider } from '@ducat/testkit/chains/fake/fake-provider';
import { WatchStage } from '@ducat/testkit/watcher/watch-stage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOrder } from '../../../db/tables/orders/orders.ts';
import type { IdleChains, RestBounds } from '../../../runtime/idle-chains.ts';
import { Outage } from '../../../runtime/outage.ts';
import { runSearch } from './run-search.ts';

const COIN = 1000;
const ether = 10n ** 18n;
/** Longer than a trace is awaited. */
const LONG_MS = 400_000;

let stage: WatchStage;
let provider: FakeProvider;

/** An order is paid by an internal transaction that is final and not searched for yet. */
beforeEach(async () => {
  stage = await WatchStage.open({
    providers: (chain) => {
      provider = chain.provider('p0', {});
      return [provider];
    },
  });
  const { address: to } = await insertTestOrder(stage.database, { currencyId: COIN, units: ether });
  await stage.mine(5);
  await stage.search();
  const paid = { currencyId: COIN, from: '0xcontract', to, units: ether, kind: 'internal' } as const;
  stage.chain.mine([{ txId: '0xpaid', transfers: [paid] }]);
  await stage.mine(6);
});

afterEach(() => stage.close());

const fails = (message: string) => () => {
  throw new Outage(message, { kind: 'not-yet' });
};

/** Searches once more than there are changes, each of which comes into force a long time after the search before it. */
async function searchThrough(...changes: readonly (() => void)[]): Promise<void> {
  const stop = new AbortController();
  const left = [...changes];
  let nowMs = 0;
  const world = {
    ...stage.watch.world,
    nowMs: () => nowMs,
    sleep: () => {
      nowMs += LONG_MS;
      const change = left.shift();
      if (change === undefined) stop.abort();
      else change();
      return Promise.resolve();
    },
  };
  await runSearch({ ...stage.watch, world, idle: chainsInUse }, stop.signal);
}

const status = async () => (await findOrder(stage.database.reader, 'app_1', 'ord_1'))?.status;

it('waits for a trace as long where balances could not be had before', async () => {
  provider.lie({ balances: fails('the balances are not ready') });
  await searchThrough(
    () => provider.lie({ internalTransfers: fails('the trace is not ready') }),
    () => provider.lie({}),
  );
  expect(await status()).toBe('PAID');
});

it('waits on for a trace where balances could not be had in between', async () => {
  provider.lie({ internalTransfers: fails('the trace is not ready') });
  await searchThrough(
    () => provider.lie({ balances: fails('the balances are not ready') }),
    () => provider.lie({ internalTransfers: fails('the trace is not ready') }),
    () => provider.lie({}),
  );
  expect(await status()).toBe('PAID');
});

it('waits no longer for a trace that fails again after minutes', async () => {
  provider.lie({ internalTransfers: fails('the trace is not ready') });
  await searchThrough(() => undefined);
  const rows = await stage.database.reader.read('SELECT disposition FROM transfers', []);
  expect(rows).toEqual([{ disposition: 'unassigned' }]);
  expect(await status()).toBe('TO-BE-PAID');
});

it.each([
  [450, 9_000, 18_000],
  [3_000, 10_000, 60_000],
  [12_000, 10_000, 60_000],
])(
  'with blocks of %d ms rests for %d ms, and up to %d while the chain is idle',
  async (blockTimeMs, least, most) => {
    const rests: RestBounds[] = [];
    const sleeps: number[] = [];
    let isIdle = true;
    const stop = new AbortController();
    const idle: IdleChains = {
      ...chainsInUse,
      rest: (_, bounds) => {
        if (isIdle) rests.push(bounds);
        const rested = isIdle;
        isIdle = false;
        return Promise.resolve(rested);
      },
    };
    const sleep = (ms: number) => {
      sleeps.push(ms);
      stop.abort();
      return Promise.resolve();
    };
    const { reader } = stage;
    const chain = { ...reader, definition: { ...reader.definition, blockTimeMs } };
    await runSearch({ ...stage.watch, chain, idle, world: { ...stage.watch.world, sleep } }, stop.signal);
    expect(rests).toEqual([{ least, most }]);
    expect(sleeps).toEqual([least]);
  },
);
