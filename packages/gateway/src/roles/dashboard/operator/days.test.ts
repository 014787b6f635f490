// Operators look back by days: how good providers were, and what comparing the books with the chains came to. And they see
// whether the books could be brought back.
import { amountOf } from '@ducat/core/money/amount';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { TEST_LEASE } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { ProviderHealth } from '../../../chains/port/reader.ts';
import { addComparison, addFailure } from '../../../db/tables/books/reserve-days.ts';
import { readWalReceivers } from '../../../db/reports/backup-report.ts';
import { insertBackupMark } from '../../../db/tables/operating/backup-marks.ts';
import { upsertDifferences } from '../../../db/tables/books/balance-differences.ts';
import { Outage } from '../../../runtime/outage.ts';
import { recordProviders } from '../../../flows/blocks/record-providers.ts';

const DAY_MS = 86_400_000;
let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'), {
    lookAtStake: async (chain) => {
      if (chain === 'Tron') throw new Outage('no node answers');
      return null;
    },
  });
});
afterAll(() => shop?.close());

const one = { provider: 'one.example', calls: 10, failures: 1, totalMs: 500, disagreements: 0 };
const closed: Pick<ProviderHealth, 'circuit' | 'reason'> = { circuit: 'closed', reason: null };

it('adds up what the process that watches a chain saw of its providers', async () => {
  const { world, database } = shop.api;
  const record = (
    providers: Parameters<typeof recordProviders>[1]['providers'],
    holder = TEST_LEASE.holder,
    nowMs = world.nowMs(),
  ) => database.transact((tx) => recordProviders(tx, { chain: 'ETH', holder, nowMs, providers }));
  const two = {
    ...one,
    provider: 'two.example',
    disagreements: 2,
    circuit: 'half-open',
    reason: 'outvoted',
  } as const;
  const gone = { ...one, ...closed, provider: 'gone.example', head: 99 };
  expect(await record([{ ...one, ...closed, head: 100 }, gone], 'another')).toBe(false);
  await record([{ ...one, ...closed, head: 100 }, gone], TEST_LEASE.holder, world.nowMs() - DAY_MS);
  await record([
    { ...one, ...closed, head: 100 },
    { ...two, head: 97 },
  ]);
  await record([
    { ...one, ...closed, head: 110 },
    { ...two, head: 97 },
  ]);
  const { providers } = await shop.ask('chains.list-providers', {}, shop.operator);
  expect(providers).toMatchObject([
    {
      provider: 'one.example',
      blocks_behind: 0,
      today: { calls: 20, failures: 2, mean_ms: 50 },
      week: { calls: 30, failures: 3 },
    },
    { provider: 'two.example', circuit: 'half-open', blocks_behind: 13, today: { disagreements: 4 } },
  ]);
});

it('keeps for each day whether balances agreed, differed, or could not be asked for', async () => {
  const { world, database } = shop.api;
  const today = Math.floor(world.nowMs() / DAY_MS);
  const key = (day: number, currencyId: number) => ({ day, chain: 'ETH', currencyId });
  const { address } = await shop.orderPlaced('differs', 1001, '1');
  await database.transact(async (tx) => {
    await addComparison(tx, key(today - 1, 1001), { addresses: 5, endedRound: true });
    await addFailure(tx, key(today - 1, 1001), 'away for a while');
    await addFailure(tx, key(today, 1000), 'away');
    const [row] = await tx.read<{ id: number }>('SELECT address_id AS id FROM addresses WHERE address = $1', [
      address,
    ]);
    const both = { expected: amountOf(1001, 1n), actual: amountOf(1001, 2n), atBlock: 9 };
    await upsertDifferences(tx, 'ETH', 1001, [{ addressId: row?.id ?? 0, ...both }], 0);
    await tx.write('UPDATE balance_differences SET raised = true', []);
    await addComparison(tx, key(today, 1001), { addresses: 2, endedRound: false });
    // What was found is not taken back by a comparison that finds nothing any more.
    await tx.write('DELETE FROM balance_differences', []);
    await addComparison(tx, key(today, 1001), { addresses: 2, endedRound: false });
  });
  const { days } = await shop.ask('reserves.list-days', {}, shop.operator);
  expect(days).toMatchObject([
    {
      verdict: 'differs',
      addresses: 4,
      currencies: [
        { currency_id: 1000, verdict: 'unlooked', trouble: 'away' },
        { currency_id: 1001, verdict: 'differs', differing: 1 },
      ],
    },
    { verdict: 'clean', addresses: 5, rounds: 1, failures: 1, currencies: [] },
  ]);
});

it('says how old backups and tried restores are, and asks for them where they are missing', async () => {
  const { world, database } = shop.api;
  const missing = async () => {
    const { incidents } = await shop.ask('incidents.list', {}, shop.operator);
    return incidents.flatMap(({ kind, since }) =>
      /backup|restore|archive/.test(kind) ? [{ kind, since }] : [],
    );
  };
  const mark = { bytes: null, markedBy: 'postgres@db', note: '' };
  expect(await missing()).toEqual([
    { kind: 'backup-missing', since: null },
    { kind: 'restore-untried', since: null },
  ]);
  const dayAgo = world.nowMs() - DAY_MS;
  await database.transact(async (tx) => {
    await insertBackupMark(tx, { ...mark, kind: 'restore', atMs: world.nowMs() - 93 * DAY_MS });
    await insertBackupMark(tx, { ...mark, kind: 'dump', atMs: dayAgo, bytes: 5_000_000_000 });
    await insertBackupMark(tx, { ...mark, kind: 'base', atMs: dayAgo - DAY_MS });
  });
  expect(await missing()).toEqual([
    { kind: 'restore-untried', since: Math.floor(world.nowMs() / 1000) - 93 * 86_400 },
  ]);
  const state = await shop.ask('backups.read', {}, shop.operator);
  expect(state).toMatchObject({
    backup: { state: 'fresh', last: { kind: 'dump', at: Math.floor(dayAgo / 1000), bytes: 5_000_000_000 } },
    restore: { state: 'old', last: { kind: 'restore' }, max_age_seconds: 92 * 86_400 },
    archive: { state: 'off', archived_at: null, failures: 0 },
    receivers: [],
    keys_ready: true,
  });
  expect(state.marks.map(({ kind }) => kind)).toEqual(['dump', 'base', 'restore']);
});

it('says that a role without the right sees no standby, rather than that there is none', async () => {
  const hidden = await shop.api.database.transact(async (tx) => {
    await tx.write("SELECT set_config('role', 'pg_signal_backend', true)", []);
    return readWalReceivers(tx);
  });
  expect(hidden).toEqual({ role: 'pg_signal_backend', receivers: null });
});

it('says of a chain without a stake something else than of one whose nodes do not answer', async () => {
  const stakeOf = (chain: string) => shop.ask('wallets.read-stake', { chain }, shop.operator);
  expect(await stakeOf('ETH')).toEqual({ state: 'none', stake: null });
  expect(await stakeOf('Tron')).toEqual({ state: 'away', stake: null });
});
