// What the dashboard's lists, searches and counts find in twenty thousand rows; `list-plans.test.ts` is about the way there.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { APPS, fillManyRows, idAt } from '@ducat/testkit/reports/many-rows';
import { type CallFilter, type CallPage, findCall, pageOfCalls } from './call-list.ts';
import { readReceived, readWaiting } from './home-report.ts';
import { readEventsToResend } from './events-to-resend.ts';
import { type MerchantEventPage, pageOfEvents } from './merchant-events.ts';
import { pageOfPayouts, type PayoutPage } from './money/payout-list.ts';
import { listMerchantOrders, type OrderFilter } from './orders/order-list.ts';
import { listReceipts } from './orders/receipt-list.ts';
import { findInMerchant } from './search.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await fillManyRows(database);
});
afterAll(() => database.drop());

const orders = (change: Partial<OrderFilter> = {}): OrderFilter => ({
  appIds: APPS,
  before: '~',
  from: '',
  limit: 20,
  ...change,
});

describe('a page of the orders of a merchant', () => {
  it('holds the newest first over all apps, and goes on behind the last', async () => {
    const first = await listMerchantOrders(database.reader, orders({ limit: 3 }));
    expect(first.orders.map(({ outTradeNo }) => outTradeNo)).toEqual([
      'mine-20000',
      'mine-19999',
      'mine-19998',
    ]);
    expect(first.searchedTo).toBeNull();
    expect(first.orders[0]).toMatchObject({
      eventState: 'delivered',
      attempts: 0,
      fiatName: null,
    });
    const next = await listMerchantOrders(database.reader, orders({ limit: 1, before: 'ord_0000019998' }));
    expect(next.orders.map(({ outTradeNo }) => outTradeNo)).toEqual(['mine-19997']);
  });

  it('says how far back a filter has looked, so that the next page goes on there and nothing is left out', async () => {
    let before = '~';
    const found: string[] = [];
    for (let pages = 0; pages < 40; pages += 1) {
      const page = await listMerchantOrders(database.reader, orders({ before, currencyId: 1002 }));
      found.push(...page.orders.map(({ tradeNo }) => tradeNo));
      if (page.searchedTo === null) break;
      before = page.searchedTo;
    }
    expect(found).toEqual(['ord_0000000100']);
  });
});

describe('a page of the calls of the API', () => {
  const span = { appIds: APPS, before: '~', from: '', limit: 20 };
  const ids = ({ calls }: CallPage) => calls.map(({ callId }) => callId);
  const allOf = async (wanted: Partial<CallFilter>) => {
    const found: string[] = [];
    let before: string | null = '~';
    for (let pages = 0; pages < 40 && before !== null; pages += 1) {
      const page: CallPage = await pageOfCalls(database.reader, { ...span, before, ...wanted });
      found.push(...ids(page));
      before = page.searchedTo;
    }
    return found;
  };

  it('holds the newest first over all apps, refused ones alone where that is asked', async () => {
    const { reader } = database;
    expect(ids(await pageOfCalls(reader, { ...span, limit: 2 }))).toEqual([
      idAt('cal', 20_000),
      idAt('cal', 19_999),
    ]);
    const refused = { ...span, isRefused: true, before: idAt('cal', 19_005), limit: 2 };
    expect(ids(await pageOfCalls(reader, refused))).toEqual([idAt('cal', 18_005), idAt('cal', 17_005)]);
  });

  it('says how far back it has looked for an operation, and leaves nothing out', async () => {
    expect(await allOf({ operation: 'create-payout' })).toEqual([idAt('cal', 100)]);
  });

  it('finds the call of one operation among thousands that ask for the same number', async () => {
    const sql = `UPDATE api_calls SET trade_no = 'polled', operation = CASE call_id WHEN $1 THEN 'pre-create' ELSE operation END
      WHERE app_id = 'app_2'`;
    await database.transact((tx) => tx.write(sql, [idAt('cal', 101)]));
    expect(await allOf({ named: 'polled', operation: 'pre-create' })).toEqual([idAt('cal', 101)]);
  });

  it('has a call once that names a number twice, and finds none of other apps', async () => {
    const { reader, transact } = database;
    await transact((tx) =>
      tx.write(`UPDATE api_calls SET trade_no = 'twice', request_id = 'twice' WHERE call_id = $1`, [
        idAt('cal', 7),
      ]),
    );
    expect(ids(await pageOfCalls(reader, { ...span, named: 'twice' }))).toEqual([idAt('cal', 7)]);
    expect(ids(await pageOfCalls(reader, { ...span, appIds: ['app_3'], named: 'twice' }))).toEqual([]);
    expect(await findCall(reader, APPS, idAt('cal', 7))).toMatchObject({ tradeNo: 'twice', kept: null });
    expect(await findCall(reader, ['app_3'], idAt('cal', 7))).toBeNull();
  });
});

describe('the other lists', () => {
  const allPayouts = async (wanted: Partial<Parameters<typeof pageOfPayouts>[1]>) => {
    const filter = { appIds: APPS, from: '', now: 0, limit: 2, ...wanted };
    const found: string[] = [];
    let pages = 0;
    for (let before: string | null = wanted.before ?? '~'; before !== null; pages += 1) {
      const page: PayoutPage = await pageOfPayouts(database.reader, { ...filter, before });
      found.push(...page.payouts.map(({ tradeNo }) => tradeNo));
      before = page.searchedTo ?? (page.payouts.length < filter.limit ? null : found.at(-1)!);
    }
    return { found, pages };
  };

  it('find dead events between two ids', async () => {
    const { events: dead } = await pageOfEvents(database.reader, {
      appIds: APPS,
      state: 'dead',
      before: '~',
      from: 'evt_0000018000',
      limit: 5,
    });
    expect(dead.map(({ eventId }) => eventId)).toEqual(['evt_0000019010', 'evt_0000018010']);
  });

  it('say how far back a state was looked for that no index holds', async () => {
    const filter = {
      appIds: ['app_1'],
      state: 'unsent',
      from: '',
      limit: 5,
    } as const;
    const first = await pageOfEvents(database.reader, {
      ...filter,
      before: '~',
    });
    expect(first).toEqual({ events: [], searchedTo: 'evt_0000009960' });
    const next = await pageOfEvents(database.reader, {
      ...filter,
      before: first.searchedTo!,
    });
    expect(next).toEqual({ events: [], searchedTo: null });
  });

  it('leave nothing out where one app is looked through less far than another', async () => {
    // What fills a page is behind all that is looked at in the busy app, and that one has an older event between.
    const old = [500, 600, 700, 800, 900, 9_003].map((place) => idAt('evt', place));
    await database.transact((tx) =>
      tx.write(`UPDATE events SET state = 'unsent', url = NULL, receiver = NULL WHERE event_id = ANY ($1)`, [
        old,
      ]),
    );
    const filter = { appIds: ['app_2', 'app_3'], state: 'unsent', from: '', limit: 3 } as const;
    const found: string[] = [];
    for (let before: string | null = '~'; before !== null; ) {
      const page: MerchantEventPage = await pageOfEvents(database.reader, { ...filter, before });
      found.push(...page.events.map(({ eventId }) => eventId));
      before = page.searchedTo ?? (page.events.length < filter.limit ? null : found.at(-1)!);
    }
    expect(found).toEqual(old.toReversed());
  });

  it('say how far on delivered events were looked for from the oldest on, and leave none out', async () => {
    await insertApp(database, { appId: 'app_5', account: 5, addresses: 0 });
    const columns =
      'event_id, app_id, trade_no, type, status, final, body, url, receiver, state, created_at_ms';
    const rows = (numbers: string) => `
      SELECT 'evt_' || lpad(n::text, 10, '0') || 'r', 'app_5', '', 'PAYMENT', 'PAID', true, '', '', '',
        CASE WHEN n % 2750 = 0 OR n % 3 = 1 THEN 'delivered' ELSE 'dead' END, n FROM ${numbers} AS n`;
    await database.transact(async (tx) => {
      // The outbox is searched for one page up to its row 5,000. The archive has later rows that the next page shows.
      await tx.write(`INSERT INTO events (${columns}) ${rows('generate_series(3, 18000, 3)')}`, []);
      await tx.write(
        `INSERT INTO archived_events (${columns}, sequence, attempts, schedule_start)
         SELECT made.*, 0, 1, 0 FROM (${rows('unnest(ARRAY[1, 15001, 17002])')}) AS made`,
        [],
      );
    });
    const span = { appId: 'app_5', state: 'delivered', before: '~', limit: 4 } as const;
    const first = await readEventsToResend(database.reader, { ...span, after: '' });
    const ids = (numbers: readonly number[]) => numbers.map((number) => `${idAt('evt', number)}r`);
    expect(first).toEqual({ eventIds: ids([1, 8_250]), searchedTo: `${idAt('evt', 15_000)}r` });
    const next = await readEventsToResend(database.reader, { ...span, after: first.searchedTo! });
    expect(next).toEqual({ eventIds: ids([15_001, 16_500, 17_002]), searchedTo: null });
  });

  it('say how far back a status of payouts was looked for, and find each of them', async () => {
    await database.transact((tx) =>
      tx.write(`UPDATE payouts SET status = 'FAIL' WHERE trade_no = ANY ($1)`, [
        [idAt('pay', 100), idAt('pay', 200), idAt('pay', 15_000)],
      ]),
    );
    const { found, pages } = await allPayouts({ status: 'FAIL' });
    expect(found).toEqual([idAt('pay', 15_000), idAt('pay', 200), idAt('pay', 100)]);
    expect(pages).toBeGreaterThan(1);
    const since = { from: idAt('pay', 200) };
    expect((await allPayouts({ status: 'FAIL', ...since })).found).toEqual([
      idAt('pay', 15_000),
      idAt('pay', 200),
    ]);
  });

  it('find the payouts in a currency, between two times and of one app, open ones too', async () => {
    const inEth = [300, 9_003, 15_000, 15_003].map((place) => idAt('pay', place));
    await database.transact((tx) =>
      tx.write('UPDATE payouts SET currency_id = 1000 WHERE trade_no = ANY ($1)', [inEth]),
    );
    const currencyId = 1000;
    expect((await allPayouts({ currencyId })).found).toEqual(inEth.toReversed());
    expect((await allPayouts({ currencyId, from: inEth[1]!, before: inEth[3]! })).found).toEqual([
      inEth[2],
      inEth[1],
    ]);
    expect((await allPayouts({ currencyId, appIds: ['app_2'] })).found).toEqual([inEth[3], inEth[1]]);
    expect((await allPayouts({ currencyId, status: 'PROGRESS' })).found).toEqual([inEth[3], inEth[1]]);
    expect((await allPayouts({ currencyId, isToApprove: true, from: inEth[3]! })).found).toEqual([inEth[3]]);
  });

  it('read receipts behind one another', async () => {
    const first = await listReceipts(database.reader, {
      appIds: APPS,
      behind: null,
      limit: 2,
    });
    expect(first.map(({ block }) => block.time)).toEqual([18_007, 16_007]);
    const [last] = first.slice(-1);
    const behind = {
      time: 16_007,
      chain: 'ETH',
      txId: last!.txId,
      position: 'log:0',
    };
    const next = await listReceipts(database.reader, {
      appIds: APPS,
      behind,
      limit: 1,
    });
    expect(next.map(({ block }) => block.time)).toEqual([14_007]);
  });
});

describe('search', () => {
  const find = (text: string, more: { txIds?: string[]; addresses?: string[]; appIds?: string[] } = {}) =>
    findInMerchant(database.reader, {
      appIds: APPS,
      text,
      txIds: [],
      addresses: [],
      ...more,
    });

  it("finds by our number or its beginning, the merchant's number, and a transaction, in its apps alone", async () => {
    expect((await find('ord_0000017000')).map(({ id }) => id)).toEqual(['ord_0000017000']);
    expect((await find('ord_000001')).length).toBe(10);
    expect(await find('mine-17001')).toMatchObject([
      { kind: 'order', id: 'ord_0000017001', by: 'own-number' },
    ]);
    expect(await find('mine-17001', { appIds: ['app_1'] })).toEqual([]);
    const [{ hash }] = (await database.reader.read<{ hash: string }>(`SELECT md5('17001') AS hash`, [])) as [
      { hash: string },
    ];
    expect(await find(hash, { txIds: [hash] })).toMatchObject([
      { kind: 'order', id: 'ord_0000017001', by: 'transaction' },
    ]);
    expect(await find(hash, { txIds: [hash], appIds: ['app_1'] })).toEqual([]);
  });
});

describe('the home page', () => {
  it('adds up what came, by currency and time, by an index', async () => {
    const period = {
      appIds: APPS,
      from: 19_000,
      bucketSeconds: 500,
      buckets: 2,
    };
    const { sums, isPartial } = await readReceived(database.reader, period);
    expect(sums.map(({ bucket, payments }) => [bucket, payments])).toEqual([
      [-2, 499],
      [-1, 500],
      [0, 500],
      [1, 500],
      [2, 1],
    ]);
    expect(isPartial).toBe(false);
  });

  it('counts what waits by indexes that hold nothing else, and the gas of a wallet does not wait', async () => {
    await database.transact((tx) =>
      tx.write(
        `WITH wallet AS (INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
           VALUES ('app_1', 'evm', 77, '0xwallet', 'wallet') RETURNING address_id)
         INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
           block_hash, block_time, state, disposition, address_id, app_id)
         SELECT 'ETH', 'gas', 'value', 1, 1000, '', '0xwallet', 1, 1, '', 1, 'final', 'unassigned', address_id, 'app_1' FROM wallet`,
        [],
      ),
    );
    // The others are short: nobody can accept them.
    await database.transact((tx) =>
      tx.write(
        `UPDATE orders SET collected = due WHERE trade_no IN (
           SELECT trade_no FROM orders WHERE status = 'TIME-OUT' AND collected > 0 AND app_id = ANY ($1::text[]) LIMIT 15)`,
        [APPS],
      ),
    );
    expect(await readWaiting(database.reader, APPS, 0)).toEqual({
      openOrders: 50,
      timedOutWithMoney: 15,
      unassigned: 10,
      payoutsOpen: 20,
      payoutsToApprove: 20,
      deadEvents: 20,
    });
  });
});
