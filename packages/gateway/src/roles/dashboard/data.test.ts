// What the dashboard reads and does, over HTTP and PostgreSQL with its walls up: each answer is held against its schema.
import type { OperationName } from '@ducat/contract/dashboard/registry';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { TEST_LEASE, transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addressSchemes } from '../../chains/address-schemes.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const mine = { merchant_id: 'mer_1' };
const changed = { status: 409, body: { code: 'changed' } };

let shop: DashboardShop;
let appId = '';
let tradeNo = '';
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  appId = shop.api.payment.appId;
  tradeNo = await shop.orderPaid('1042', '25.5', 25_500_000n);
});
afterAll(() => shop?.close());

/** The first entry of a kind. */
function entryOf<E extends { kind: string }, K extends E['kind']>(timeline: readonly E[], kind: K) {
  const found = timeline.find((entry): entry is Extract<E, { kind: K }> => entry.kind === kind);
  if (found === undefined) throw new Error(`there is no entry ${kind}`);
  return found;
}

describe('an order', () => {
  it('is listed, found by each of its numbers, and shown as one story whose entries explain each other', async () => {
    const { orders, next_cursor: next } = await shop.ask('orders.list', { ...mine, status: 'PAID' });
    expect(orders).toMatchObject([
      { trade_no: tradeNo, out_trade_no: '1042', collected: '25.5', webhook: { state: 'pending' } },
    ]);
    expect(next).toBeNull();
    const { order, timeline } = await shop.ask('orders.read', { ...mine, trade_no: tradeNo });
    expect(order).toMatchObject({ status: 'PAID', fiat: { name: 'USD', amount: '25.5' } });
    expect(timeline.map(({ kind }) => kind)).toEqual(['created', 'quote', 'transfer', 'ledger', 'webhook']);
    const [transfer, ledger] = [entryOf(timeline, 'transfer'), entryOf(timeline, 'ledger')];
    const [quote, webhook] = [entryOf(timeline, 'quote'), entryOf(timeline, 'webhook')];
    expect(quote).toMatchObject({ quote: { fiat: 'USD' }, evidence: [] });
    expect(transfer).toMatchObject({
      state: 'final',
      disposition: 'payment',
      confirmations_needed: transfer.confirmations,
    });
    expect(ledger.postings.map(({ account, amount }) => [account, amount])).toEqual([
      ['custody', '-25.5'],
      ['fee', '0.00765'],
      ['available', '25.49235'],
    ]);
    expect(JSON.parse(webhook.body)).toMatchObject({ status: 'PAID' });
    for (const text of [tradeNo.slice(0, 14), '1042', transfer.tx_id, order.address]) {
      const { found } = await shop.ask('search.find', { ...mine, text });
      expect(found).toContainEqual(expect.objectContaining({ kind: 'order', id: tradeNo }));
    }
  });

  it('is exported as CSV in which no number of a merchant is a formula', async () => {
    const named = { out_trade_no: '=HYPERLINK("x")', currency_id: 1001, token_amount: '1' };
    await shop.api.call('/api/order/create', named);
    const answered = await shop.owner.call('orders.export', mine);
    expect(answered.headers['content-type']).toContain('text/csv');
    const lines = String(answered.body['text']).split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines.filter((line) => line.includes(`,"'=HYPERLINK(""x"")",`))).toHaveLength(1);
    // What was collected is the fee and what was credited; nothing was priced then.
    const line = lines.find((one) => one.includes('"1042"'));
    expect(line).toMatch(/,"25.5","25.5",.*,"0.00765","25.49235","0","1"$/);
    expect(lines.filter((one) => one.endsWith(',"","","",""'))).toHaveLength(1);
  });

  it('is not exported, and leaves no entry in the audit log, where the merchant has no app', async () => {
    const { database } = shop.api;
    expect((await shop.stranger.send('orders.export', { merchant_id: 'mer_2' })).status).toBe(404);
    const entries = await database.reader.read("SELECT 1 FROM audit_log WHERE merchant_id = 'mer_2'", []);
    expect(entries).toEqual([]);
  });

  it('is accepted late by a person, once; and money of nobody is assigned to one of its app', async () => {
    const late = await shop.orderPlaced('late', 1001, '2');
    const number = late.tradeNo;
    const acceptance = { ...mine, trade_no: number, reason: 'the customer called' };
    expect(await shop.finance.call('orders.accept-late', acceptance)).toMatchObject({ status: 409 });
    // Ether at an order for USDT counts for none.
    await shop.bookFinal((block) => [
      transferTo(late.address, block, { amount: { currencyId: 1000, units: 10n ** 16n }, txId: '0xstray' }),
    ]);
    const { receipts } = await shop.ask('receipts.list', mine);
    // Sent back and cancelled, it waits again.
    const [{ chain: on, ...strayed }] = receipts as [(typeof receipts)[0]];
    const back = { ...mine, chain: on, tx_id: strayed.tx_id, position: strayed.position, to_address: TO };
    const refund = { ...back, keep: '0.001', reason: 'wrong coin' };
    const { keep: _keep, reason: _reason, ...asked } = refund;
    const quote = await shop.ask('receipts.quote-refund', asked, shop.finance);
    expect(quote).toMatchObject({ amount: '0.01', least_keep: '0.001', refusal: null });
    expect(await shop.finance.call('receipts.refund', { ...refund, keep: '0' })).toMatchObject({
      status: 400,
      body: { field: 'keep' },
    });
    const { payout } = await shop.ask('receipts.refund', refund, shop.finance);
    expect(payout).toMatchObject({ receipt: '0.009', asked_by: { person_id: shop.finance.personId } });
    expect(await shop.finance.call('receipts.refund', refund)).toMatchObject(changed);
    expect(await shop.ask('receipts.list', mine)).toMatchObject({ receipts: [] });
    await shop.ask('payouts.cancel', { ...mine, trade_no: payout.trade_no, reason: 'it is assigned' });
    expect(receipts).toMatchObject([{ tx_id: '0xstray', currency_id: 1000, amount: '0.01' }]);
    const { chain, tx_id, position } = receipts[0]!;
    const other = await shop.orderPlaced('eth', 1000, '0.01');
    const assign = { ...mine, chain, tx_id, position, trade_no: other.tradeNo, reason: 'wrong token' };
    expect(await shop.ask('receipts.assign', assign, shop.finance)).toEqual({
      disposition: 'payment',
      order_status: 'PAID',
    });
    expect(await shop.finance.call('receipts.assign', assign)).toMatchObject(changed);
    const all = await shop.ask('receipts.list-all', {}, shop.operator);
    expect(all['receipts']).toEqual([]);
  });
});

describe('an app', () => {
  it('is opened with a key that is shown once, set from what was seen, and sends a test event', async () => {
    const opened = await shop.ask('apps.create', {
      ...mine,
      name: 'Till',
      kind: 'PAYMENT',
      callback_url: 'https://till.test/',
    });
    const till = { appId: String(opened['app_id']), appKey: String(opened['app_key']) };
    const order = { out_trade_no: 'first', currency_id: 1001, token_amount: '1' };
    expect(await shop.api.call('/api/order/create', order, till)).toMatchObject({ code: 0 });
    const { version } = (await shop.ask('apps.read', { ...mine, app_id: till.appId })).app;
    const rotation = { ...mine, app_id: till.appId, version, grace_seconds: 0 };
    const rotated = await shop.ask('apps.rotate-key', rotation);
    shop.api.world.advance(6_000);
    const fresh = { appId: till.appId, appKey: String(rotated['app_key']) };
    const second = { ...order, out_trade_no: 'second' };
    expect(await shop.api.call('/api/order/create', second, fresh)).toMatchObject({ code: 0 });

    const { app } = await shop.ask('apps.read', { ...mine, app_id: till.appId });
    const change = { ...mine, app_id: till.appId, version: app.version };
    const hidden = { ...change, callback_url: 'http://127.0.0.1/hook' };
    const refused = { status: 400, body: { field: 'callback_url' } };
    expect(await shop.owner.call('apps.change', hidden)).toMatchObject(refused);
    const page = {
      accent: '#112233',
      contact: 'help@shop.test',
      frame_origins: ['https://shop.test'],
      is_test: false,
    };
    const { app: after } = await shop.ask('apps.change', {
      ...change,
      tolerance_ppm: 5_000,
      currencies_off: [1000],
      page,
    });
    expect(after).toMatchObject({ tolerance_ppm: 5_000, currencies_off: [1000], page });
    expect(await shop.owner.call('apps.change', change)).toMatchObject(changed);
    const { setup_url: setup } = await shop.ask('apps.switch-one-time-codes', {
      ...mine,
      app_id: till.appId,
      version: after.version,
      is_on: true,
    });
    expect(setup).toContain('otpauth://');

    const { event_id: eventId } = await shop.ask('apps.send-test-event', { ...mine, app_id: till.appId });
    const { event, body } = await shop.ask('webhooks.read', { ...mine, event_id: eventId });
    expect(event).toMatchObject({ state: 'pending', url: 'https://till.test/' });
    expect(JSON.parse(String(body)).trade_no).toMatch(/^test_/);
    await shop.api.database.transact((tx) =>
      tx.write(`UPDATE events SET state = 'dead', next_attempt_at_ms = NULL WHERE event_id = $1`, [eventId]),
    );
    expect((await shop.ask('webhooks.list', { ...mine, state: 'dead' }))['events']).toHaveLength(1);
    const now = Math.floor(shop.api.world.nowMs() / 1000);
    const span = { ...mine, app_id: till.appId, state: 'dead' as const, from: now - 3600, to: now + 1 };
    expect(await shop.ask('webhooks.resend-span', span)).toEqual({ resent: 1, next_cursor: null });
    expect(await shop.ask('webhooks.resend', { ...mine, event_ids: [eventId] })).toEqual({ resent: [] });
  });

  it('has an address list that cools, and QR codes where it is of their kind', async () => {
    const added = { ...mine, app_id: appId, family: 'evm' as const, address: TO, label: 'Supplier' };
    await shop.ask('address-list.add', added);
    expect(await shop.owner.call('address-list.add', added)).toMatchObject({ status: 409 });
    expect((await shop.ask('address-list.list', { ...mine, app_id: appId }))['addresses']).toMatchObject([
      { address: TO },
    ]);
    const { label: _label, ...listed } = added;
    await shop.ask('address-list.remove', listed);

    const counter = await shop.api.addApp('QR_CODE');
    const code = {
      ...mine,
      request_id: 'click-0000000000002',
      app_id: counter.appId,
      currency_id: 1001,
      name: 'Counter',
      amount: '0',
    };
    const { qr_code: made } = await shop.ask('qr-codes.create', code);
    expect((await shop.ask('qr-codes.create', code))['qr_code']).toEqual(made);
    const canonical = addressSchemes.evm.canonical(made.address) ?? '';
    await shop.bookFinal((block) => [transferTo(canonical, block, { units: 3_000_000n, txId: '0xqr' })]);
    const which = { ...mine, qr_code_id: made.qr_code_id };
    expect(await shop.ask('qr-codes.read', which)).toMatchObject({
      qr_code: { payments: 1, collected: '3' },
      payments: [{ amount: '3' }],
    });
    expect(
      (await shop.ask('qr-codes.switch', { ...which, is_disabled: true }))['qr_code'].disabled_time,
    ).toBeGreaterThan(0);
    expect((await shop.ask('qr-codes.list', mine))['qr_codes']).toHaveLength(1);
  });
});

describe('the home page', () => {
  it('sums up what came and counts what waits', async () => {
    const home = await shop.ask('home.read', { ...mine, period: '24h' });
    expect(home['received']).toContainEqual(
      expect.objectContaining({ currency_id: 1001, amount: '28.5', payments: 2 }),
    );
    expect(home['bucket_starts']).toHaveLength(24);
    expect(home['needs_you'].open_orders).toBeGreaterThan(0);
    expect((await shop.ask('currencies.list', {}))['currencies'].length).toBeGreaterThan(50);
  });
});

describe("what is another merchant's", () => {
  // `walls.test.ts` tries every id that a request must have; these are the others.
  it('is as unknown as what does not exist, whichever number names it', async () => {
    const theirs = { merchant_id: 'mer_2' };
    const stray = { chain: 'ETH', tx_id: '0xstray', position: 'log:0' };
    const tries: readonly [OperationName, object][] = [
      ['orders.list', { app_id: appId }],
      ['orders.export', { app_id: appId }],
      ['receipts.quote-refund', { ...stray, to_address: TO }],
      ['receipts.refund', { ...stray, to_address: TO, keep: '0', reason: 'x' }],
    ];
    for (const [name, request] of tries) {
      const { status, body } = await shop.stranger.send(name, { ...theirs, ...request });
      expect({ name, status, code: body['code'] }).toEqual({ name, status: 404, code: 'unknown' });
    }
    const { found } = await shop.ask('search.find', { ...theirs, text: tradeNo }, shop.stranger);
    expect(found).toEqual([]);
  });
});

describe('operators', () => {
  it('open, price and suspend merchants, and see all money', async () => {
    const { merchant } = await shop.ask(
      'merchants.create',
      { name: 'New', deposit_fee_ppm: 100, payout_fee_ppm: 200 },
      shop.operator,
    );
    const fees = {
      subject_merchant_id: merchant.merchant_id,
      version: merchant.version,
      deposit_fee_ppm: 50,
      payout_fee_ppm: 0,
    };
    await shop.ask('merchants.change-fees', fees, shop.operator);
    expect(await shop.operator.call('merchants.change-fees', fees)).toMatchObject({ status: 409 });
    const { merchants } = await shop.ask('merchants.list', {}, shop.operator);
    const shopRow = merchants.find(({ merchant_id: id }) => id === 'mer_1')!;
    const suspended = {
      subject_merchant_id: 'mer_1',
      version: shopRow.version,
      is_suspended: true,
      reason: 'fraud',
    };
    const { merchant: off } = await shop.ask('merchants.switch', suspended, shop.operator);
    expect(off.is_suspended).toBe(true);
    // hits mark: a-suspension-is-the-operators
    const { apps } = await shop.ask('apps.list', { merchant_id: 'mer_1' });
    const which = { merchant_id: 'mer_1', app_id: apps[0]!.app_id };
    const { app } = await shop.ask('apps.read', which);
    const again = { ...which, version: app.version, enabled: true };
    expect(await shop.owner.call('apps.change', again)).toMatchObject({ status: 409 });
    await shop.ask(
      'merchants.switch',
      { ...suspended, version: off.version, is_suspended: false },
      shop.operator,
    );
    expect((await shop.ask('payouts.list-all', {}, shop.operator))['payouts']).toHaveLength(1);
    await shop.ask('wallets.list', { chain: 'ETH' }, shop.operator);
    await shop.ask('outgoing.list-open', {}, shop.operator);
    const { reserves } = await shop.ask('reserves.read', {}, shop.operator);
    const covered = { currency_id: 1001, held: '28.5', is_covered: true };
    expect(reserves).toContainEqual(expect.objectContaining(covered));
    const { jobs, queues } = await shop.ask('jobs.list', {}, shop.operator);
    expect(jobs).toMatchObject([{ job: 'watch-ETH', holder: TEST_LEASE.holder }]);
    expect(queues.open_orders).toBeGreaterThan(0);
    expect(await shop.owner.call('configuration.read', {})).toMatchObject({ status: 403 });
    const { entries } = await shop.ask('audit-log.list-all', {}, shop.operator);
    const operations = new Set<string>(entries.map(({ operation }) => operation));
    const done = ['merchants.switch', 'receipts.refund', 'apps.change', 'receipts.assign'];
    for (const name of done) expect(operations).toContain(name);
    const assigned = await shop.ask('audit-log.list-all', { operation: 'receipts.a' }, shop.operator);
    expect(new Set(assigned.entries.map(({ operation }) => operation))).toEqual(new Set(['receipts.assign']));
    const { person_id: by } = entries.find(({ person_id: id }) => id !== null)!;
    const { entries: ofOne } = await shop.ask('audit-log.list-all', { person_id: by! }, shop.operator);
    expect(ofOne).toEqual(entries.filter(({ person_id: id }) => id === by));
    expect((await shop.ask('audit-log.verify', {}, shop.operator))['is_whole']).toBe(true);
  });
});
