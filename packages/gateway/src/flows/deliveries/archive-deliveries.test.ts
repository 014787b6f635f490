// Shows what goes to the archive, what stays, and that a resend brings back what it needs.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readAttempts,
  readEvent,
} from '@ducat/testkit/events';
import type { NewEvent } from '../../db/tables/deliveries/outbox.ts';
import { archiveDeliveries } from './archive-deliveries.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { resendEvents } from './resend-events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(() => deleteEvents(database));
afterAll(() => database.drop());

type State = 'delivered' | 'dead' | 'pending' | 'unsent';

/** Events in these states, each with one attempt unless it was never sent. */
async function insertIn(
  states: Readonly<Record<string, State>>,
  change: Partial<NewEvent> = {},
): Promise<void> {
  const ids = Object.keys(states);
  await insertTestEvents(
    database,
    ids.map((eventId) => ({ eventId, ...change, ...(states[eventId] === 'unsent' ? { url: null } : {}) })),
  );
  await database.transact(async (tx) => {
    for (const [eventId, state] of Object.entries(states)) {
      if (state === 'unsent') continue;
      await tx.write(
        `UPDATE events SET state = $2, attempts = 1, next_attempt_at_ms = CASE $2 WHEN 'pending' THEN $3::bigint END
         WHERE event_id = $1`,
        [eventId, state, EVENTS_AT_MS],
      );
      await tx.write(`INSERT INTO delivery_attempts VALUES ($1, 1, $2, 5, NULL, 'timeout')`, [
        eventId,
        EVENTS_AT_MS,
      ]);
    }
  });
}

function archive(below = 'evt_9', limit = 100): Promise<number> {
  return database.transact((tx) => archiveDeliveries(tx, { below, limit }));
}

async function idsIn(table: 'events' | 'archived_events' | 'archived_delivery_attempts') {
  const sql = `SELECT event_id AS id FROM ${table} ORDER BY event_id`;
  return (await database.reader.read<{ id: string }>(sql, [])).map(({ id }) => id);
}

describe('archiveDeliveries', () => {
  it('moves what is finished with its attempts, and nothing that is not', async () => {
    await insertIn({ evt_1: 'delivered', evt_2: 'dead', evt_3: 'pending', evt_4: 'unsent' });
    const before = await Promise.all(['evt_1', 'evt_2', 'evt_4'].map((id) => readEvent(database, id)));
    expect(await archive()).toBe(3);
    expect(await idsIn('events')).toEqual(['evt_3']);
    expect(await idsIn('archived_events')).toEqual(['evt_1', 'evt_2', 'evt_4']);
    expect(await idsIn('archived_delivery_attempts')).toEqual(['evt_1', 'evt_2']);
    expect(await Promise.all(['evt_1', 'evt_2', 'evt_4'].map((id) => readEvent(database, id)))).toEqual(
      before,
    );
    expect(await readAttempts(database, 'evt_1')).toMatchObject([{ attempt: 1, outcome: 'timeout' }]);
    expect(await archive()).toBe(0);
  });

  it('leaves the younger ones, and moves the oldest first', async () => {
    await insertIn({ evt_1: 'delivered', evt_2: 'delivered', evt_3: 'delivered', evt_7: 'delivered' });
    expect(await archive('evt_5', 2)).toBe(2);
    expect(await idsIn('archived_events')).toEqual(['evt_1', 'evt_2']);
    expect(await archive('evt_5', 2)).toBe(1);
    expect(await archive('evt_5', 2)).toBe(0);
    expect(await idsIn('events')).toEqual(['evt_7']);
  });

  it('keeps the events of one subject together until all are finished', async () => {
    await insertIn({ evt_1: 'delivered', evt_2: 'pending' }, { tradeNo: 'ord_1', final: false });
    expect(await archive()).toBe(0);
  });

  it('leaves what another transaction holds for the next time', async () => {
    await insertIn({ evt_1: 'delivered', evt_2: 'delivered' });
    await database.transact(async (tx) => {
      await tx.write(`SELECT FROM events WHERE event_id = 'evt_1' FOR UPDATE`, []);
      expect(await archive()).toBe(1);
    });
    expect(await archive()).toBe(1);
  });

  it('loses nothing where several processes archive at once', async () => {
    const ids = Array.from({ length: 200 }, (_, place) => `evt_${1_000 + place}`);
    await insertIn(Object.fromEntries(ids.map((id) => [id, 'delivered' as const])));
    const moved = await Promise.all(Array.from({ length: 8 }, () => archive('evt_9', 50)));
    expect(moved.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(200);
    while ((await archive('evt_9', 50)) > 0);
    expect(await idsIn('archived_events')).toEqual(ids);
    expect(await idsIn('events')).toEqual([]);
  });

  it('keeps a subject from having the same final event twice', async () => {
    await insertIn({ evt_1: 'delivered' }, { tradeNo: 'ord_1' });
    await archive();
    const again = insertTestEvents(database, [{ eventId: 'evt_2', tradeNo: 'ord_1' }]);
    await expect(again).rejects.toThrow('final_events_pkey');
  });
});

describe('a resend', () => {
  const NOW_MS = EVENTS_AT_MS + 1;

  function resend(choice: Parameters<typeof resendEvents>[1]) {
    return database.transact((tx) => resendEvents(tx, choice, NOW_MS));
  }

  it('brings an archived event back with its attempts, to be claimed as the next one', async () => {
    await insertIn({ evt_1: 'delivered', evt_2: 'unsent' });
    await archive();
    expect(await resend({ eventIds: ['evt_1', 'evt_2', 'evt_3'] })).toEqual(['evt_1']);
    expect(await idsIn('events')).toEqual(['evt_1']);
    expect(await idsIn('archived_events')).toEqual(['evt_2']);
    const room = { leaseMs: 1_000, maxDeliveries: 9, maxPerApp: 9, maxPerReceiver: 9 };
    const claims = await claimDeliveries(database, {
      ...room,
      nowMs: NOW_MS,
      underWay: [],
      after: new Map(),
    });
    expect(claims.deliveries).toMatchObject([{ eventId: 'evt_1', attempt: 2, scheduledAttempt: 1 }]);
    expect(await readAttempts(database, 'evt_1')).toMatchObject([
      { attempt: 1, outcome: 'timeout' },
      { attempt: 2, outcome: 'unfinished' },
    ]);
  });

  it('of all dead ones takes those of the outbox and then those of the archive', async () => {
    await insertIn({ evt_1: 'dead', evt_2: 'dead', evt_3: 'dead', evt_4: 'delivered' });
    await archive('evt_3');
    expect(await resend({ appId: 'app_1', limit: 2 })).toEqual(['evt_3', 'evt_1']);
    expect(await idsIn('archived_events')).toEqual(['evt_2']);
    expect(await resend({ appId: 'app_1', limit: 2 })).toEqual(['evt_2']);
    expect(await readEvent(database, 'evt_4')).toMatchObject({ state: 'delivered' });
  });
});
