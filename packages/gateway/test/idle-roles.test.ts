// Payer and collector rest while their chain is idle, and keep their pace while it is in use.
import { eth } from '@ducat/core/chain/definitions/eth';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { TEST_LEASE } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import type { CollectChain } from '../src/roles/collector/parts.ts';
import { runCollector } from '../src/roles/collector/collector.ts';
import type { PayChain } from '../src/roles/payer/parts.ts';
import { runPayer } from '../src/roles/payer/payer.ts';
import type { IdleChains, RestBounds } from '../src/runtime/idle-chains.ts';
import { createLog } from '../src/runtime/log.ts';
import { realWorld } from '../src/runtime/world.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});
afterEach(() => database.drop());

/** Between two renewals of a lease, while the clock stands at a multiple of that. */
const RENEWAL_MS = 1_500;
const nothing = () => undefined;

/** Runs a role on an empty database, on a chain that is idle for two rests. Returns its rests and its first sleep after them. */
async function run(start: (parts: PayChain & CollectChain, signal: AbortSignal) => Promise<void>) {
  const stop = new AbortController();
  const rests: (RestBounds & { readonly chain: string | null })[] = [];
  let slept: number | null = null;
  const idle: IdleChains = {
    idleMs: () => Promise.resolve(null),
    rest: (chain, bounds) => {
      if (rests.length === 2) return Promise.resolve(false);
      rests.push({ chain, ...bounds });
      return Promise.resolve(true);
    },
  };
  const sleep = (ms: number, signal?: AbortSignal) => {
    if (ms === RENEWAL_MS) return realWorld.sleep(ms, signal);
    slept ??= ms;
    stop.abort();
    return Promise.resolve();
  };
  const parts = {
    writer: { definition: eth },
    policy: { topUpPayouts: 0n, runway: { days: 0n, payouts: 0n }, staker: null },
    rates: { warning: null },
    transact: database.transact,
    reader: database.reader,
    world: { ...realWorld, nowMs: () => 1_000 * RENEWAL_MS, sleep },
    idle,
    holder: TEST_LEASE.holder,
    log: createLog('silent'),
    observer: {
      onLease: nothing,
      onOutage: nothing,
      onRunway: nothing,
      onStake: nothing,
      onGasShort: nothing,
    },
  };
  // Without any work, nothing else of the parts is used.
  await start(parts as unknown as PayChain & CollectChain, stop.signal);
  return { rests, slept };
}

it('a payer without work looks again after fifteen seconds, or once its chain is in use', async () => {
  const rest = { chain: 'ETH', least: 15_000, most: 15_000 };
  expect(await run(runPayer)).toEqual({ rests: [rest, rest], slept: 1_000 });
});

it('a collector without work looks again after fifteen seconds to a minute, or once its chain is in use', async () => {
  const rest = { chain: 'ETH', least: 15_000, most: 60_000 };
  expect(await run(runCollector)).toEqual({ rests: [rest, rest], slept: 5_000 });
});
