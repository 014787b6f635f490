// Shows that a resent event starts a fresh retry schedule and keeps its history.
import { MAX_ATTEMPTS } from '@ducat/core/webhook/schedule';
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
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { type EndedDelivery, recordDeliveries } from './record-delivery.ts';
import { MAX_RESENT, type ResendChoice, resendEvents } from './resend-events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
  await insertEventApp(database, 'app_2', 2);
});
afterEach(() => deleteEvents(database));
afterAll(() => database.drop());

async function attempt(nowMs: number, outcome: EndedDelivery['outcome']): Promise<ClaimedDelivery> {
  const limits = {
    nowMs,
    leaseMs: 30_000,
    maxDeliveries: 1,
    maxPerApp: 1,
    maxPerReceiver: 1,
    underWay: [],
    after: new Map(),
  };
  const { deliveries } = await claimDeliveries(database, limits);
  const claimed = deliveries[0]!;
  const ended = { startedAtMs: nowMs, endedAtMs: nowMs, outcome, httpStatus: null };
  await database.transact((tx) => recordDeliveries(tx, [{ ...claimed, ...ended }]));
  return claimed;
}

async function attemptUntilDead(fromMs: number): Promise<void> {
  let nowMs = fromMs;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const { eventId } = await attempt(nowMs, 'timeout');
    nowMs = (await readEvent(database, eventId)).nextAttemptAtMs ?? nowMs;
  }
}

function resend(choice: ResendChoice) {
  return database.transact((tx) => resendEvents(tx, choice, EVENTS_AT_MS + 1));
}

async function kill(eventIds: readonly string[]): Promise<void> {
  await database.transact((tx) =>
    tx.write("UPDATE events SET state = 'dead', next_attempt_at_ms = NULL WHERE event_id = ANY ($1)", [
      eventIds,
    ]),
  );
}

describe('resendEvents', () => {
  it('gives a dead event another sixteen attempts, from the first wait, numbered on', async () => {
    await insertTestEvents(database, [{}]);
    await attemptUntilDead(EVENTS_AT_MS);
    expect(await resend({ eventIds: ['evt_0'] })).toEqual(['evt_0']);
    expect(await readEvent(database, 'evt_0')).toMatchObject({
      state: 'pending',
      attempts: 16,
      nextAttemptAtMs: EVENTS_AT_MS + 1,
    });
    expect(await attempt(EVENTS_AT_MS + 1, 'timeout')).toMatchObject({ attempt: 17, scheduledAttempt: 1 });
    expect((await readEvent(database, 'evt_0')).nextAttemptAtMs).toBe(EVENTS_AT_MS + 1 + 5_000);
    await attempt(EVENTS_AT_MS + 6_000, 'timeout');
    expect((await readEvent(database, 'evt_0')).nextAttemptAtMs).toBe(EVENTS_AT_MS + 6_000 + 15_000);
    expect((await readAttempts(database, 'evt_0')).map((row) => row.attempt)).toEqual(
      Array.from({ length: 18 }, (_, place) => place + 1),
    );
  });

  it('lets it die again after sixteen more', async () => {
    await insertTestEvents(database, [{}]);
    await attemptUntilDead(EVENTS_AT_MS);
    await resend({ eventIds: ['evt_0'] });
    await attemptUntilDead(EVENTS_AT_MS + 1);
    expect(await readEvent(database, 'evt_0')).toMatchObject({ state: 'dead', attempts: 32 });
  });

  it('sends a delivered event again', async () => {
    await insertTestEvents(database, [{}]);
    await attempt(EVENTS_AT_MS, 'delivered');
    expect(await resend({ eventIds: ['evt_0'] })).toEqual(['evt_0']);
    expect(await attempt(EVENTS_AT_MS + 1, 'delivered')).toMatchObject({ attempt: 2, scheduledAttempt: 1 });
    expect((await readEvent(database, 'evt_0')).state).toBe('delivered');
  });

  it('leaves pending, unsent and unknown events alone', async () => {
    await insertTestEvents(database, [{ eventId: 'pending' }, { eventId: 'unsent', url: null }]);
    expect(await resend({ eventIds: ['pending', 'unsent', 'unknown'] })).toEqual([]);
  });

  it('resends the oldest dead events of one app, up to a limit', async () => {
    // Ids are time-ordered.
    const ids = ['dead1', 'dead2', 'dead3'];
    await insertTestEvents(database, [
      ...ids.map((eventId) => ({ eventId })),
      { eventId: 'foreign', appId: 'app_2' },
      { eventId: 'alive' },
    ]);
    await kill([...ids, 'foreign']);
    expect((await resend({ appId: 'app_1', limit: 2 })).toSorted()).toEqual(['dead1', 'dead2']);
    expect(await resend({ appId: 'app_1', limit: MAX_RESENT })).toEqual(['dead3']);
    expect((await readEvent(database, 'foreign')).state).toBe('dead');
  });

  it('refuses more than its maximum at once', async () => {
    await expect(resend({ appId: 'app_1', limit: MAX_RESENT + 1 })).rejects.toThrow('at most 1000');
    await expect(resend({ eventIds: Array.from({ length: MAX_RESENT + 1 }, String) })).rejects.toThrow(
      'at most',
    );
  });
});
