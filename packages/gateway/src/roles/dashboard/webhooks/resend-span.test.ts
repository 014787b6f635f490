// The webhooks of a time span are sent again in the order in which they happened, also where they take several calls.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { firstIdAt } from '../../../runtime/ids.ts';

/** One more than a call takes. */
const EVENTS = 1_001;
const FROM = 1_700_000_000;

let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
});
afterAll(() => shop?.close());

/** The number of an event made so many milliseconds after the span begins. */
const idAfter = (ms: number) => `${firstIdAt('evt', FROM * 1_000 + ms)}00000000000000000000`;

async function pending(): Promise<readonly string[]> {
  const rows = await shop.api.database.reader.read<{ id: string }>(
    `SELECT event_id AS id FROM events WHERE state = 'pending' ORDER BY event_id`,
    [],
  );
  return rows.map(({ id }) => id);
}

it.each(['dead', 'delivered'] as const)(
  'sends what is %s again from the oldest on: TIME-OUT and later PAID of one order',
  async (state) => {
    const ids = Array.from({ length: EVENTS }, (_, ms) => idAfter(ms));
    const { appId } = shop.api.payment;
    await shop.api.database.transact(async (tx) => {
      await tx.write('DELETE FROM events', []);
      await tx.write(
        `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state, created_at_ms)
         SELECT e.id, $2, CASE WHEN e.place IN (1, $4) THEN 'ord_late' ELSE 'ord_' || e.place END, 'PAYMENT',
           CASE WHEN e.place = 1 THEN 'TIME-OUT' ELSE 'PAID' END, true, '', 'http://shop.test/', 'shop.test:80', $3, e.place
         FROM unnest($1::text[]) WITH ORDINALITY AS e (id, place)`,
        [ids, appId, state, EVENTS],
      );
    });
    const span = { merchant_id: 'mer_1', app_id: appId, state, from: FROM, to: FROM + 60 };
    const first = await shop.ask('webhooks.resend-span', span);
    expect(first).toEqual({ resent: EVENTS - 1, next_cursor: expect.any(String) });
    expect(await pending()).toEqual(ids.slice(0, -1));

    const cursor = String(first['next_cursor']);
    const last = { resent: 1, next_cursor: null };
    expect(await shop.ask('webhooks.resend-span', { ...span, cursor })).toEqual(last);
    expect(await pending()).toEqual(ids);
    // A cursor from before the span does not widen it: one of the events was made in its second second.
    await shop.api.database.transact((tx) =>
      tx.write('UPDATE events SET state = $1, next_attempt_at_ms = NULL', [state]),
    );
    expect(await shop.ask('webhooks.resend-span', { ...span, from: FROM + 1, cursor: '0' })).toEqual(last);
  },
);
