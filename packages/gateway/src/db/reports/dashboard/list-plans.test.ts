// What PostgreSQL reads for every list, filter, search and timeline of the dashboard: as much as is shown, wherever in the
// list the page begins, behind the wall, for a large merchant and for a small one beside it.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  type Explained,
  type ExplainedReads,
  explainReads,
  type PlanMode,
  planModes,
} from '@ducat/testkit/reports/explained-reads';
import { APPS, fillManyRows, idAt, ROWS, SMALL_APP } from '@ducat/testkit/reports/many-rows';
import type { Reader } from '../../postgres/tx.ts';
import { listAuditEntries } from '../../tables/access/audit-log.ts';
import { raiseWalls } from '../../tables/access/walls.ts';
import { countOpenOrders, readMerchantValueSince } from '../../tables/merchant-limits.ts';
import { findOrder } from '../../tables/orders/orders.ts';
import { readQuoteEvidence } from '../../tables/orders/quote-evidence.ts';
import { type CallFilter, pageOfCalls } from './call-list.ts';
import { readReceived, readWaiting, readWebhookHealth } from './home-report.ts';
import { readMerchantMarks, readOrderMarks, readPayoutMarks } from './live-marks.ts';
import { readEventsToResend } from './events-to-resend.ts';
import { listMerchantEvents, pageOfEvents } from './merchant-events.ts';
import { readOutgoingOf } from './money/outgoing-story.ts';
import { listOutflows } from '../../tables/payouts/payout-endings.ts';
import { listMerchantPayouts, pageOfPayouts } from './money/payout-list.ts';
import { readEntrySides, sumStatement } from './money/entry-sides.ts';
import {
  firstEntryAt,
  listStatement,
  readOrdersOf,
  readStatementTotals,
  sumReceipts,
} from './money/statement.ts';
import { readOrderCollections } from './orders/order-collections.ts';
import { readOrderCredits } from './orders/order-credits.ts';
import { listMerchantOrders, type OrderFilter } from './orders/order-list.ts';
import { readOrderStory } from './orders/order-story.ts';
import { listReceipts } from './orders/receipt-list.ts';
import { listMerchantQrCodes, listQrPayments } from './qr-code-list.ts';
import { findInMerchant } from './search.ts';
import { readAttemptsOf } from './subject-attempts.ts';
import { readSubjectEntries } from './subject-entries.ts';

const SHOWN = 20;
/** Rows that one part of a plan may meet for such a page: from each of three apps, or from each of two tables. */
const MOST_ROWS = 5 * SHOWN;
/** What a filter looks through that no index holds, over all apps. */
const LOOKED_AT = 10_000;
/** By so many blocks pages of one list may differ: their rows lie in more or in fewer of them. */
const SLACK_BLOCKS = 24;
/** Near the oldest: what lies before it is most of each index. */
const FAR_BACK = ROWS * 0.2;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await fillManyRows(database);
  expect(await raiseWalls(database.transact)).toBeNull();
  await database.reader.read('VACUUM ANALYZE', []);
});
afterAll(() => database.drop());

interface Merchant {
  readonly merchantId: string;
  readonly appIds: readonly string[];
  readonly hasPlace: number;
  readonly end: string;
}

const LARGE: Merchant = { merchantId: 'mer_1', appIds: APPS, hasPlace: 7_003, end: '' };
const SMALL: Merchant = { merchantId: 'mer_4', appIds: [SMALL_APP], hasPlace: 7_001, end: 's' };

async function ask(merchant: Merchant, what: (reads: ExplainedReads) => Promise<unknown>) {
  const reads = explainReads(database, merchant.merchantId);
  await what(reads);
  const explained = reads.take();
  expect(explained.length).toBeGreaterThan(0);
  return explained;
}

function expectFew(explained: readonly Explained[], most: number): void {
  for (const { sql, wholeReads, rows } of explained) {
    expect(wholeReads, sql).toEqual([]);
    expect(rows, sql).toBeLessThanOrEqual(most);
  }
}

const blocksOf = (explained: readonly Explained[], mode: PlanMode) =>
  explained.reduce((sum, one) => sum + (one.mode === mode ? one.blocks : 0), 0);

/** A page of a list behind a place, which is a row's number, or behind none of them. */
type List = (reader: Reader, merchant: Merchant, behind: number) => Promise<unknown>;

const since = (prefix: 'ord' | 'evt' | 'pay' | 'cal', behind: number) => ({
  from: idAt(prefix, Math.min(behind, ROWS) - 30),
});

const orders =
  (change: Partial<OrderFilter> = {}): List =>
  (reader, { appIds }, behind) =>
    listMerchantOrders(reader, {
      appIds,
      before: idAt('ord', behind),
      from: '',
      limit: SHOWN,
      ...change,
    });
const events =
  (change: Partial<Parameters<typeof pageOfEvents>[1]> = {}): List =>
  (reader, { appIds }, behind) =>
    pageOfEvents(reader, {
      appIds,
      before: idAt('evt', behind),
      from: '',
      limit: SHOWN,
      ...change,
    });
const toResend =
  (state: 'dead' | 'delivered'): List =>
  (reader, { appIds }, behind) => {
    const span = { state, after: idAt('evt', ROWS + 1 - behind), before: '~', limit: SHOWN };
    return readEventsToResend(reader, { appId: appIds[0]!, ...span });
  };
const payouts =
  (change: Partial<Parameters<typeof pageOfPayouts>[1]> = {}): List =>
  (reader, { appIds }, behind) =>
    pageOfPayouts(reader, {
      appIds,
      before: idAt('pay', behind),
      from: '',
      now: 0,
      limit: SHOWN,
      ...change,
    });
const calls =
  (change: Partial<CallFilter> = {}): List =>
  (reader, { appIds }, behind) =>
    pageOfCalls(reader, {
      appIds,
      before: idAt('cal', behind),
      from: '',
      limit: SHOWN,
      ...change,
    });
const statement =
  (oldestFirst: boolean): List =>
  (reader, { appIds }, behind) => {
    const span = { from: Math.min(behind, ROWS) - 500, before: behind };
    return listStatement(
      reader,
      { appId: appIds[0]!, currencyId: 1001, ...span },
      { limit: SHOWN, oldestFirst },
    );
  };

describe.each<[string, List, number]>([
  ['orders', orders(), MOST_ROWS],
  [
    'orders of one app',
    (reader, merchant, behind) => orders({ appIds: merchant.appIds.slice(-1) })(reader, merchant, behind),
    MOST_ROWS,
  ],
  ['orders since a time', (...asked) => orders(since('ord', asked[2]))(...asked), MOST_ROWS],
  ['open orders', orders({ status: 'TO-BE-PAID' }), MOST_ROWS],
  ['late orders', orders({ isLate: true }), LOOKED_AT],
  ['paid orders', orders({ status: 'PAID' }), LOOKED_AT],
  ['orders in a rare currency', orders({ currencyId: 1002 }), LOOKED_AT],
  ['orders for an export', orders({ limit: 1_000 }), 3_000],
  ['events', events(), MOST_ROWS],
  ['events since a time', (...asked) => events(since('evt', asked[2]))(...asked), MOST_ROWS],
  ['dead events', events({ state: 'dead' }), MOST_ROWS],
  ['pending events', events({ state: 'pending' }), MOST_ROWS],
  ['delivered events', events({ state: 'delivered' }), LOOKED_AT],
  ['events of a state that none has', events({ state: 'unsent' }), LOOKED_AT],
  ['dead events to resend', toResend('dead'), MOST_ROWS],
  ['delivered events to resend', toResend('delivered'), LOOKED_AT],
  ['payouts', payouts(), MOST_ROWS],
  ['open payouts', payouts({ status: 'PROGRESS' }), MOST_ROWS],
  ['payouts to approve', payouts({ isToApprove: true }), MOST_ROWS],
  ['payouts of a status that none has', payouts({ status: 'FAIL' }), LOOKED_AT],
  ['payouts in a currency that none has', payouts({ currencyId: 1002 }), LOOKED_AT],
  ['open payouts in a currency that none has', payouts({ status: 'PROGRESS', currencyId: 1002 }), MOST_ROWS],
  ['payouts since a time', (...asked) => payouts(since('pay', asked[2]))(...asked), MOST_ROWS],
  ['calls', calls(), MOST_ROWS],
  ['calls since a time', (...asked) => calls(since('cal', asked[2]))(...asked), MOST_ROWS],
  ['refused calls', calls({ isRefused: true }), MOST_ROWS],
  ['calls of a rare operation', calls({ operation: 'create-payout' }), LOOKED_AT],
  ['refused calls of one operation', calls({ isRefused: true, operation: 'create-order' }), LOOKED_AT],
  ['calls that name what none names', calls({ named: 'none' }), MOST_ROWS],
  [
    'calls of one operation that name what none names',
    calls({ named: 'none', operation: 'other' }),
    MOST_ROWS,
  ],
  [
    'unassigned receipts',
    (reader, { appIds }, behind) =>
      listReceipts(reader, {
        appIds,
        behind: { time: behind, chain: '', txId: '', position: '' },
        limit: SHOWN,
      }),
    MOST_ROWS,
  ],
  [
    'QR codes',
    (reader, { appIds }, behind) =>
      listMerchantQrCodes(reader, {
        appIds,
        before: behind,
        limit: SHOWN,
        countTo: 101,
      }),
    MOST_ROWS,
  ],
  ['a statement', statement(false), MOST_ROWS],
  ['a statement from its beginning', statement(true), MOST_ROWS],
  [
    'the first entry since a time',
    (reader, { appIds }, behind) =>
      firstEntryAt(reader, {
        appId: appIds[0]!,
        currencyId: 1001,
        atMs: behind,
      }),
    MOST_ROWS,
  ],
  [
    'the audit log',
    (reader, { merchantId }, behind) =>
      listAuditEntries(reader, {
        merchantId,
        before: behind * 10,
        limit: SHOWN,
      }),
    MOST_ROWS,
  ],
])('%s', (_name, list, most) => {
  it.each([
    ['a large merchant', LARGE],
    ['a small one beside it', SMALL],
  ])('cost the same at the start and far back: %s', async (_whose, merchant) => {
    const first = await ask(merchant, ({ reader }) => list(reader, merchant, ROWS + 1));
    const late = await ask(merchant, ({ reader }) => list(reader, merchant, FAR_BACK));
    expectFew([...first, ...late], most);
    for (const mode of planModes)
      expect(blocksOf(late, mode), late[0]?.sql).toBeLessThanOrEqual(blocksOf(first, mode) + SLACK_BLOCKS);
  });
});

it('outflows are found among all transfers', async () => {
  await database.transact((tx) =>
    tx.write(
      `WITH wallet AS (
         INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
         VALUES ('app_1', 'evm', 0, '0xwallet', 'wallet') RETURNING address_id)
       INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
         block_number, block_hash, block_time, state, disposition, from_address_id)
       SELECT 'ETH', 'out' || n, 'log:0', 1, 1001, '0xwallet', '', 1, n, '', n, 'final',
         CASE WHEN n = 9 THEN 'outgoing' ELSE 'sent' END, address_id
       FROM wallet, generate_series(1, ${ROWS}) AS n`,
      [],
    ),
  );
  await database.reader.read('ANALYZE transfers, addresses', []);
  const reads = explainReads(database, null);
  await listOutflows(reads.reader, SHOWN);
  expectFew(reads.take(), MOST_ROWS);
});

describe.each([
  ['a large merchant', LARGE],
  ['a small one beside it', SMALL],
])('%s', (_whose, merchant) => {
  const { appIds, hasPlace, end } = merchant;
  const appId = merchant === SMALL ? SMALL_APP : `app_${1 + (hasPlace % 2)}`;
  const named = (prefix: 'ord' | 'pay' | 'evt') => `${idAt(prefix, hasPlace)}${end}`;

  it.each([
    ['our number', named('ord')],
    ['the beginning of many numbers', 'ord_00000'],
    ['the beginning of few', 'evt_000000700'],
    ["the merchant's number", `mine-${hasPlace}${end}`],
    ['no number at all', 'abc'],
  ])('a search costs what it finds: %s', async (_what, text) => {
    const explained = await ask(merchant, ({ reader }) =>
      findInMerchant(reader, { appIds, text, txIds: [], addresses: [] }),
    );
    expectFew(explained, MOST_ROWS);
    for (const { sql, blocks } of explained) expect(blocks, sql).toBeLessThanOrEqual(200);
  });

  it.each([
    ['our number', named('ord')],
    ["the merchant's number", `mine-${hasPlace}${end}`],
    ['a request', `asked-mine-${hasPlace}${end}`],
  ])('a call is found by %s, at what it costs', async (_what, number) => {
    const explained = await ask(merchant, async ({ reader }) => {
      const span = { before: '~', from: '', limit: SHOWN };
      const page = await pageOfCalls(reader, { appIds, named: number, ...span });
      expect(page.calls).toMatchObject([{ callId: `${idAt('cal', hasPlace)}${end}` }]);
    });
    expectFew(explained, MOST_ROWS);
    for (const { sql, blocks } of explained) expect(blocks, sql).toBeLessThanOrEqual(200);
  });

  it('a search for a transaction or an address costs what it finds', async () => {
    const [row] = await database.reader.read<{ hash: string }>(
      `SELECT tx_id AS hash FROM transfers WHERE trade_no = $1`,
      [named('ord')],
    );
    const { hash } = row!;
    const explained = await ask(merchant, async ({ reader }) => {
      const found = await findInMerchant(reader, {
        appIds,
        text: hash,
        txIds: [hash],
        addresses: ['0x7'],
      });
      expect(found).toMatchObject([{ id: named('ord'), by: 'transaction' }]);
    });
    expectFew(explained, MOST_ROWS);
  });

  it('a timeline costs what happened to its order', async () => {
    const tradeNo = named('ord');
    const explained = await ask(merchant, async ({ reader }) => {
      expect(await findOrder(reader, appId, tradeNo)).not.toBeNull();
      const { transfers } = await readOrderStory(reader, tradeNo);
      expect(transfers).toHaveLength(1);
      const page = { before: '~', from: '', limit: SHOWN };
      expect(await listMerchantEvents(reader, { appIds: [appId], tradeNo, ...page })).toHaveLength(1);
      expect(
        await listMerchantEvents(reader, {
          appIds,
          eventId: named('evt'),
          ...page,
        }),
      ).toHaveLength(1);
      expect((await readAttemptsOf(reader, [named('evt')])).get(named('evt'))).toHaveLength(1);
      await readQuoteEvidence(reader, tradeNo);
      const receipts = [1, 2].map((addressId) => ({ addressId, currencyId: 1001, bookedAtMs: 0 }));
      await readOrderCollections(reader, receipts);
      await readOutgoingOf(reader, ['payout'], [named('pay')]);
      expect(
        await listMerchantPayouts(reader, {
          appIds,
          tradeNo: named('pay'),
          before: '~',
          from: '',
          now: 0,
          limit: 1,
        }),
      ).toHaveLength(1);
      await listQrPayments(reader, { qrCodeId: 7, behind: '', limit: SHOWN });
    });
    expectFew(explained, MOST_ROWS);
  });

  it('the home page and the totals of a statement cost what they count', async () => {
    const explained = await ask(merchant, async ({ reader }) => {
      await readWaiting(reader, appIds, 0);
      await readReceived(reader, {
        appIds,
        from: ROWS - 20,
        bucketSeconds: 10,
        buckets: 2,
      });
      await readWebhookHealth(reader, appIds, idAt('evt', ROWS - 50), SHOWN);
      await readStatementTotals(reader, {
        appId,
        currencyId: 1001,
        from: ROWS - 40,
        before: ROWS,
      });
      await readMerchantValueSince(reader, merchant.merchantId, ROWS - 20);
      await readOrdersOf(reader, [`ETH/${createHash('md5').update('7').digest('hex')}/log:0`]);
      await sumReceipts(reader, { appId, currencyId: 1001, from: ROWS - 40, before: ROWS });
    });
    expectFew(explained, MOST_ROWS);
  });
});

it('what is asked without a wall goes by the same indexes: sides of entries, a timeline, and marks of live pages', async () => {
  const reads = explainReads(database, null);
  await sumStatement(reads.reader, { appId: 'app_1', currencyId: 1001, from: ROWS - 40, before: ROWS });
  const newest = Array.from({ length: SHOWN }, (_, back) => ROWS - back);
  expect((await readEntrySides(reads.reader, 1001, newest)).size).toBe(SHOWN);
  const ids = newest.map((place) => idAt('ord', place));
  expect((await readOrderCredits(reads.reader, ids)).size).toBe(SHOWN);
  await readSubjectEntries(reads.reader, ['deposit'], ['ETH/x/log:0']);
  await readMerchantMarks(reads.reader, ['mer_1', 'mer_4']);
  // Fifty are open, and as many are counted as are allowed.
  expect(await countOpenOrders(reads.reader, ['mer_1'])).toMatchObject([{ most: 10, open: 10 }]);
  await readOrderMarks(reads.reader, [idAt('ord', 500)]);
  expect((await readPayoutMarks(reads.reader, [idAt('pay', 500)])).size).toBe(1);
  expectFew(reads.take(), MOST_ROWS);
});
