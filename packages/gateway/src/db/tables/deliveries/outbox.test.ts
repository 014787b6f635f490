// Shows how events get into the outbox, and which are refused.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { EVENTS_AT_MS, insertEventApp, insertTestEvents, readEvent } from '@ducat/testkit/events';
import { insertEvents, receiverOf } from './outbox.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
  await insertEventApp(database, 'app_2', 2);
  await insertEventApp(database, 'app_3', 3);
});
afterAll(() => database.drop());

describe('insertEvents', () => {
  it('writes all events at once, in their order, due at once', async () => {
    const ids = Array.from({ length: 50 }, (_, place) => `evt_${(place * 37) % 50}`);
    await insertTestEvents(
      database,
      ids.map((eventId) => ({ eventId })),
    );
    const sequenced = 'SELECT event_id AS id FROM events ORDER BY sequence';
    const rows = await database.reader.read<{ id: string }>(sequenced, []);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(await readEvent(database, 'evt_7')).toMatchObject({
      state: 'pending',
      type: 'PAYMENT',
      status: 'PAID',
      attempts: 0,
      underWay: false,
      nextAttemptAtMs: EVENTS_AT_MS,
      createdAtMs: EVENTS_AT_MS,
      url: 'https://shop.test/hook',
    });
  });

  it('keeps an event without an address as unsent', async () => {
    await insertTestEvents(database, [{ eventId: 'evt_silent', appId: 'app_2', url: null }]);
    expect(await readEvent(database, 'evt_silent')).toMatchObject({
      state: 'unsent',
      nextAttemptAtMs: null,
      url: null,
    });
  });

  it('keeps the body exactly as it was handed in', async () => {
    const body = '{"out_trade_no":"Bestellung-Äöü-注文-🛒","x":"\\u0000 \\"quoted\\", {braces}"}';
    await insertTestEvents(database, [{ eventId: 'evt_body', appId: 'app_2', body }]);
    expect((await readEvent(database, 'evt_body')).body).toBe(body);
  });

  it('takes any address that a row can hold, or the block that wrote the event would be undone', async () => {
    const wild = Array.from({ length: 900 }, (_, place) => String.fromCodePoint(0x4e00 + place * 7)).join('');
    const url = `http://${wild}/`;
    await insertTestEvents(database, [{ eventId: 'evt_wild', appId: 'app_3', url }]);
    expect(await readEvent(database, 'evt_wild')).toMatchObject({ state: 'pending', url });
  });

  it('does nothing without events', async () => {
    await expect(database.transact((tx) => insertEvents(tx, []))).resolves.toBeUndefined();
  });

  it.each(['PAYMENT', 'TRANSFER', 'QR_PAYMENT'] as const)(
    'takes a %s about a subject that is no order',
    async (type) => {
      const eventId = `evt_of_${type}`;
      await insertTestEvents(database, [{ eventId, type, appId: 'app_2', tradeNo: `other_${type}` }]);
      expect(await readEvent(database, eventId)).toMatchObject({ type, tradeNo: `other_${type}` });
    },
  );

  it('refuses a second final event of one subject and status', async () => {
    const event = { tradeNo: 'ord_twice', appId: 'app_2' };
    await insertTestEvents(database, [{ ...event, eventId: 'evt_first' }]);
    await expect(insertTestEvents(database, [{ ...event, eventId: 'evt_second' }])).rejects.toThrow(
      'final_events_pkey',
    );
  });
});

describe('receiverOf', () => {
  it.each([
    ['https://Shop.Example/a?b', 'shop.example'],
    ['https://shop.example:443/', 'shop.example'],
    ['https://shop.example./', 'shop.example'],
    ['http://shop.example:8080/x', 'shop.example:8080'],
    ['http://[::1]:9/', '[::1]:9'],
    ['http://0x7f.1/', '127.0.0.1'],
    [`http://${'a'.repeat(250)}:8080/`, `${'a'.repeat(250)}:8080`],
    [`http://${'a'.repeat(256)}/`, '02d7160d77e18c6447be80c2e355c7ed4388545271702c50253b0914c65ce5fe'],
    ['no address', 'unreadable'],
    ['http://./', 'unreadable'],
    ['http://.:8080/', 'unreadable'],
  ])('finds the receiver of %s', (url, receiver) => {
    expect(receiverOf(url)).toBe(receiver);
  });
});
