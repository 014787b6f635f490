// Shows how operators read events: filtered, newest first, in pages, from the outbox and the archive as one list.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertEventApp, insertTestEvents } from '@ducat/testkit/events';
import { type EventFilter, listAttempts, listEvents } from './event-lists.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
  await insertEventApp(database, 'app_2', 2);
  await insertTestEvents(database, [
    { eventId: 'evt_1' },
    { eventId: 'evt_2', url: null },
    { eventId: 'evt_3', appId: 'app_2', tradeNo: 'ord_of_3' },
    { eventId: 'evt_5' },
  ]);
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO archived_events VALUES
         ('evt_0', -1, 'app_1', 'ord_of_0', 'PAYMENT', 'PAID', true, '{}', 'http://a.test/', 'a.test', 'dead', 1, 0, 5),
         ('evt_4', 99, 'app_1', 'ord_of_4', 'PAYMENT', 'PAID', true, '{}', 'http://a.test/', 'a.test', 'delivered', 2, 1, 6)`,
      [],
    );
    await tx.write(
      `INSERT INTO archived_delivery_attempts VALUES ('evt_4', 1, 10, 3, NULL, 'timeout'), ('evt_4', 2, 20, 3, 200, 'delivered')`,
      [],
    );
  });
});
afterAll(() => database.drop());

async function listed(filter: Partial<EventFilter>): Promise<readonly string[]> {
  return (await listEvents(database.reader, { limit: 10, ...filter })).map(({ eventId }) => eventId);
}

describe('listEvents', () => {
  it.each<[string, Partial<EventFilter>, readonly string[]]>([
    ['all', {}, ['evt_5', 'evt_4', 'evt_3', 'evt_2', 'evt_1', 'evt_0']],
    ['those of an app', { appId: 'app_2' }, ['evt_3']],
    ['those of a subject', { tradeNo: 'ord_of_4' }, ['evt_4']],
    ['those in a state', { state: 'unsent' }, ['evt_2']],
    ['archived ones in a state', { state: 'dead', appId: 'app_1' }, ['evt_0']],
    ['one', { eventId: 'evt_4' }, ['evt_4']],
    ['a page', { limit: 2 }, ['evt_5', 'evt_4']],
    ['the page behind it', { limit: 2, before: 'evt_4' }, ['evt_3', 'evt_2']],
  ])('shows %s', async (_what, filter, ids) => {
    expect(await listed(filter)).toEqual(ids);
  });

  it('shows of an archived event what it shows of another', async () => {
    const [event] = await listEvents(database.reader, { eventId: 'evt_4', limit: 1 });
    expect(event).toEqual({
      eventId: 'evt_4',
      appId: 'app_1',
      tradeNo: 'ord_of_4',
      type: 'PAYMENT',
      status: 'PAID',
      state: 'delivered',
      url: 'http://a.test/',
      body: '{}',
      attempts: 2,
      nextAttemptAtMs: null,
      underWay: false,
      createdAtMs: 6,
    });
  });
});

describe('listAttempts', () => {
  it('shows none of an event that was never sent', async () => {
    expect(await listAttempts(database.reader, 'evt_2')).toEqual([]);
  });

  it('shows those of an archived event, newest first', async () => {
    const attempts = await listAttempts(database.reader, 'evt_4');
    expect(attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [2, 'delivered'],
      [1, 'timeout'],
    ]);
  });
});
