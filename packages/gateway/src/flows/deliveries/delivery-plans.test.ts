// Shows that the statements of the outbox read few rows even where the planner last counted it in a quiet time.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { SqlValue, Tx } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { EVENTS_AT_MS, insertEventApp, insertTestEvents } from '@ducat/testkit/events';
import { type ClaimedDelivery, claimEvents } from '../../db/tables/deliveries/claims.ts';
import { findDueQueues } from '../../db/tables/deliveries/due-queues.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { recordDeliveries } from './record-delivery.ts';
import { releaseDeliveries } from './release-deliveries.ts';

const EVENTS = 5_000;
const QUEUES = 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
  const events = (name: string) =>
    Array.from({ length: EVENTS }, (_, place) => ({
      eventId: `${name}${place}`,
      url: `https://h${place % QUEUES}.test/`,
    }));
  await insertTestEvents(database, events('old'));
  await database.transact(async (tx) => {
    await tx.write(`UPDATE events SET state = 'delivered', next_attempt_at_ms = NULL`, []);
    await tx.write('ANALYZE events', []);
  });
  await insertTestEvents(database, events('new'));
});
afterAll(() => database.drop());

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many events a plan read only to throw them away. */
function wasted(node: PlanNode): number {
  const removed = node['Relation Name'] === 'events' ? (node['Rows Removed by Filter'] ?? 0) : 0;
  const own = removed * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + wasted(child), own);
}

/** Runs a flow whose statement is explained as it runs, and says how many events it read in vain. */
async function wastedBy(flow: (tx: Tx) => Promise<unknown>): Promise<number> {
  let rows = Number.NaN;
  await database.transact(async (tx) => {
    const explain = async (sql: string, values: readonly SqlValue[]) => {
      const [explained] = await tx.write<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
        values,
      );
      rows = wasted(explained!['QUERY PLAN'][0]!.Plan);
      return [];
    };
    // No rows: what came is the plan.
    await flow({ ...tx, read: explain, write: explain } as Tx);
  });
  return rows;
}

const limits = {
  nowMs: EVENTS_AT_MS,
  leaseMs: 30_000,
  maxDeliveries: 200,
  maxPerApp: 200,
  maxPerReceiver: 8,
  underWay: [],
  after: new Map<string, string>(),
};

it('a search, a claim, a release and a record read what they name and little more', async () => {
  const claim = (nowMs: number) => claimDeliveries(database, { ...limits, nowMs });
  const { deliveries } = await claim(EVENTS_AT_MS);
  expect(deliveries).toHaveLength(200);
  const search = { nowMs: EVENTS_AT_MS, maxPerReceiver: 8, after: new Map(), fullApps: new Set<string>() };
  expect(await wastedBy((tx) => findDueQueues(tx, search))).toBeLessThan(500);
  const { queues } = await findDueQueues(database.reader, search);
  expect(queues).toHaveLength(QUEUES);
  const shares = queues.map((queue) => ({ ...queue, deliveries: 4 }));
  expect(await wastedBy((tx) => claimEvents(tx, shares, limits))).toBeLessThan(500);
  expect(await wastedBy((tx) => releaseDeliveries(tx, deliveries.slice(0, 60)))).toBeLessThan(500);
  const end = (delivery: ClaimedDelivery) => {
    const times = { startedAtMs: EVENTS_AT_MS, endedAtMs: EVENTS_AT_MS + 1 };
    return { ...delivery, ...times, outcome: 'delivered', httpStatus: 200 } as const;
  };
  const ends = deliveries.slice(60).map(end);
  expect(await wastedBy((tx) => recordDeliveries(tx, ends))).toBeLessThan(500);
});
