// Orders without a story and their events in the outbox, one or ten thousand.
import type { AttemptRecord, EventRecord, NewEvent } from '@ducat/gateway/db/tables/outbox';
import { insertEvents, listAttempts, listEvents } from '@ducat/gateway/db/tables/outbox';
import type { Database } from '@ducat/gateway/db/postgres/tx';
import { insertApp } from './fixtures.ts';

export const EVENTS_AT_MS = 1_700_000_000_000;

/** An app whose orders `insertTestEvents` makes as it needs them. */
export async function insertEventApp(database: Database, appId = 'app_1', account = 1): Promise<void> {
  await insertApp(database, { appId, account, addresses: 1 });
}

/** Writes events, each for an order of its own unless told otherwise, and returns their ids. */
export async function insertTestEvents(
  database: Database,
  changes: readonly Partial<NewEvent>[],
): Promise<readonly string[]> {
  const events = changes.map((change, place): NewEvent => {
    const eventId = change.eventId ?? `evt_${place}`;
    return {
      eventId,
      appId: 'app_1',
      tradeNo: `ord_${eventId}`,
      status: 'PAID',
      final: true,
      body: `{"event":"${eventId}"}`,
      url: 'https://shop.test/hook',
      createdAtMs: EVENTS_AT_MS,
      ...change,
    };
  });
  await database.transact(async (tx) => {
    const orders = new Map(events.map((event) => [event.tradeNo, event.appId]));
    await tx.write(ORDERS, [[...orders.keys()], [...orders.values()]]);
    await insertEvents(tx, events);
  });
  return events.map((event) => event.eventId);
}

const ORDERS = `
  INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
                      collected, tolerance_ppm, status, create_time, time_expire)
  SELECT new.trade_no, app_id, new.trade_no, 'hash', 'NATIVE', 'ETH', 1001, address_id, address, 1, 0, 0, 'TIME-OUT',
         0, 0
  FROM unnest($1::text[], $2::text[]) AS new (trade_no, app_id)
    JOIN (SELECT DISTINCT ON (app_id) * FROM addresses ORDER BY app_id, address_id) AS addresses USING (app_id)
  ON CONFLICT (trade_no) DO NOTHING`;

/** An event that has to be there. */
export async function readEvent(database: Database, eventId: string): Promise<EventRecord> {
  const [event] = await listEvents(database.reader, { eventId, limit: 1 });
  if (event === undefined) throw new Error(`there is no event ${eventId}`);
  return event;
}

/** Its attempts, first to last. */
export async function readAttempts(database: Database, eventId: string): Promise<readonly AttemptRecord[]> {
  return (await listAttempts(database.reader, eventId)).toReversed();
}
