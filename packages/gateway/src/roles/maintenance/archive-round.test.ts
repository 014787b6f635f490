// The round of maintenance that archives: by the configured age, and not at all where that is never.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { createCallIds, createEventIds, newTradeNo } from '../../runtime/ids.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, insertTestOrder } from '@ducat/testkit/fixtures';
import { insertTestEvents } from '@ducat/testkit/events';
import { insertTestCalls } from '@ducat/testkit/calls';
import { archiveRound, type Retention } from './maintenance.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 1_800_000_000_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});
afterEach(() => database.drop());

function sourceAt(nowMs: number) {
  return { nowMs: () => nowMs, random: (bytes: number) => new Uint8Array(bytes).fill(nowMs % 251) };
}

/** An order that timed out at a time, with its delivered event and the evidence of its rate. */
async function insertOld(atMs: number): Promise<void> {
  const tradeNo = newTradeNo(sourceAt(atMs));
  const reading = {
    source: 'okx',
    base: 'ETH',
    quote: 'USD',
    priceUnits: 1n,
    at: 1,
    verdict: 'used',
  } as const;
  const rate = { fiat: 'EUR', priceUnits: 1n };
  await insertTestOrder(database, { tradeNo, quote: { rate, at: 1, source: 'market', evidence: [reading] } });
  await insertTestEvents(database, [
    { eventId: createEventIds(sourceAt(atMs))(), tradeNo, status: 'TIME-OUT' },
  ]);
  await database.transact(async (tx) => {
    await tx.write(`UPDATE orders SET status = 'TIME-OUT' WHERE trade_no = $1`, [tradeNo]);
    await tx.write(`UPDATE events SET state = 'delivered', next_attempt_at_ms = NULL`, []);
  });
}

async function round(retention: Retention): Promise<number> {
  const silent = () => undefined;
  return archiveRound({
    retention,
    transact: database.transact,
    world: { ...sourceAt(NOW_MS), sleep: () => Promise.resolve() },
    log: { debug: silent, info: silent, warn: silent, error: silent },
    onBug: () => {
      throw new Error('a flow failed');
    },
  });
}

describe('archiveRound', () => {
  it('moves what is older than the configured days, and the audit still agrees', async () => {
    for (const days of [9, 11, 29, 31]) await insertOld(NOW_MS - days * DAY_MS);
    expect(await round({ deliveriesAfterDays: 10, quoteEvidenceAfterDays: 30, apiCallsAfterDays: 14 })).toBe(
      3 + 1,
    );
    expect(await round({ deliveriesAfterDays: 10, quoteEvidenceAfterDays: 30, apiCallsAfterDays: 14 })).toBe(
      0,
    );
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('deletes calls that are older than the configured days', async () => {
    const callIds = [1, 13, 15, 16].map((days) => createCallIds(sourceAt(NOW_MS - days * DAY_MS))());
    await insertTestCalls(
      database,
      callIds.map((callId) => ({ callId })),
    );
    const retention = { deliveriesAfterDays: null, quoteEvidenceAfterDays: null, apiCallsAfterDays: 14 };
    expect([await round(retention), await round(retention)]).toEqual([2, 0]);
    const left = await database.reader.read('SELECT call_id FROM api_calls ORDER BY 1 DESC', []);
    expect(left).toEqual(callIds.slice(0, 2).map((call_id) => ({ call_id })));
  });

  it('moves and deletes nothing where that is never', async () => {
    await insertOld(NOW_MS - 10_000 * DAY_MS);
    await insertTestCalls(database, [{ callId: createCallIds(sourceAt(0))() }]);
    expect(
      await round({ deliveriesAfterDays: null, quoteEvidenceAfterDays: null, apiCallsAfterDays: null }),
    ).toBe(0);
  });
});
