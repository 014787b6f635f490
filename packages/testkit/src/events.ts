// Inserts events into the outbox without orders behind them, one or ten thousand.
import {
  type AttemptRecord,
  type EventRecord,
  listAttempts,
  listEvents,
} from '@ducat/gateway/db/tables/deliveries/event-lists';
import { insertEvents, type NewEvent } from '@ducat/gateway/db/tables/deliveries/outbox';
import type { Database } from '@ducat/gateway/db/postgres/tx';
import { insertApp } from './fixtures.ts';

export const EVENTS_AT_MS = 1_700_000_000_000;

/** An app for `insertTestEvents`. */
export async function insertEventApp(database: Database, appId = 'app_1', account = 1): Promise<void> {
  await insertApp(database, { appId, account, addresses: 1 });
}

/** Writes events, each about a subject of its own unless the change names one, and returns their ids. */
export async function insertTestEvents(
  database: Database,
  changes: readonly Partial<NewEvent>[],
): Promise<readonly string[]> {
  const events = changes.map((change, place): NewEvent => {
    const eventId = change.eventId ?? `evt_${place}`;
    return {
      eventId,
      type: 'PAYMENT',
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
  await database.transact((tx) => insertEvents(tx, events));
  return events.map((event) => event.eventId);
}

/** Empties the outbox and the archive, so that the next test may use the same ids. */
export async function deleteEvents(database: Database): Promise<void> {
  await database.transact(async (tx) => {
    for (const table of EVENT_TABLES) await tx.write(`DELETE FROM ${table}`, []);
  });
}

const EVENT_TABLES = [
  'delivery_attempts',
  'events',
  'final_events',
  'archived_delivery_attempts',
  'archived_events',
];

/** Reads an event; throws where it does not exist. */
export async function readEvent(database: Database, eventId: string): Promise<EventRecord> {
  const [event] = await listEvents(database.reader, { eventId, limit: 1 });
  if (event === undefined) throw new Error(`there is no event ${eventId}`);
  return event;
}

/** The attempts of an event, first to last. */
export async function readAttempts(database: Database, eventId: string): Promise<readonly AttemptRecord[]> {
  return (await listAttempts(database.reader, eventId)).toReversed();
}
