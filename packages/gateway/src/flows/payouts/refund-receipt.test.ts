// A receipt goes back once, and an order never by more than it collected: the money is bound where it lay,
// and comes back there where the refund is cancelled.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainWriting,
  START_TIME,
  transferTo,
  USDT,
} from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readOrderMarks } from '../../db/reports/dashboard/live-marks.ts';
import { readOrderStory } from '../../db/reports/dashboard/orders/order-story.ts';
import { findRefundBy } from '../../db/tables/payouts/order-refunds.ts';
import { listRefunds } from '../../db/tables/payouts/receipt-refunds.ts';
import { findReceipt, listUnassigned } from '../../db/tables/transfers/receipts.ts';
import { acceptLate } from '../orders/accept-late.ts';
import { assignReceipt } from '../orders/assign-receipt.ts';
import { cancelPayout } from './cancel-payout.ts';
import { changeRules, type RulesChange } from './change-rules.ts';
import type { CreatePayout } from './create-payout.ts';
import { refundOrder } from './refund-order.ts';
import { refundReceipt, type RefundingMerchant, type RefundReceipt } from './refund-receipt.ts';
import { setCodeSecret } from './codes/set-code-secret.ts';

const usdt = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;
const nowMs = START_TIME * 1000;
const why = { by: 'ada', reason: 'ticket 7' };
let database: TestDatabase;
let made = 0;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 3 });
  const { address } = await insertTestOrder(database);
  const [row] = await database.reader.read<{ address: string }>(
    'SELECT address FROM addresses WHERE trade_no IS NULL LIMIT 1',
    [],
  );
  const early = headerAt(1);
  const late = headerAt(2, { time: START_TIME + 1801 });
  await bookBlock(database, {
    header: early,
    transfers: [transferTo(row?.address ?? '', early, { txId: '0xstray', units: 5_000_000n })],
  });
  await bookBlock(database, {
    header: late,
    transfers: [transferTo(address, late, { txId: '0xlate' })],
    final: late,
  });
});
afterEach(() => database.drop());

function refund(txId: string, change: Partial<RefundReceipt> = {}) {
  const input: RefundReceipt = {
    receipt: { chain: 'ETH', txId, position: 'log:0' },
    tradeNo: `pay_${++made}`,
    chain: eth,
    currency: usdt,
    toAddress: '0xpayer',
    gas: amountOf(USDT, 1_000_000n),
    networkFee: amountOf(1000, 5n),
    feeCap: amountOf(1000, 50n),
    value: null,
    nowMs,
    ...why,
    ...change,
  };
  return database.transact((tx) => refundReceipt(tx, input));
}

/** A person of the app, on whom the rules of its payouts are binding. */
const merchant = (change: Partial<RefundingMerchant> = {}): RefundingMerchant => ({
  appId: 'app_1',
  leastGas: amountOf(USDT, 1_000_000n),
  codeStep: undefined,
  ...change,
});

const cancel = (tradeNo: string) => database.transact((tx) => cancelPayout(tx, { tradeNo, ...why, nowMs }));

/** As a payout ends that failed, and of which its recipient kept so many units. */
function endFailed(tradeNo: string, kept: string) {
  return database.transact((tx) =>
    tx.write(
      `UPDATE payouts SET status = 'FAIL', kept = $2, claimed = true, start_time = 1, end_tx_id = '0xe', end_time = 2
       WHERE trade_no = $1`,
      [tradeNo, kept],
    ),
  );
}

async function balances() {
  const rows = await database.reader.read<{ kind: string; balance: string }>(
    "SELECT kind, balance::text FROM accounts WHERE owner = 'app_1'",
    [],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

describe('refundReceipt', () => {
  // hits mark: refunded-once
  it('binds an unassigned receipt once, against any other refund or assignment, and gives it back where it lay', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => refund('0xstray')));
    const opened = all.flatMap((one) => (one.outcome === 'opened' ? [one.payout] : []));
    expect(opened).toHaveLength(1);
    expect(all.filter(({ outcome }) => outcome === 'refunded')).toHaveLength(5);
    expect(opened[0]).toMatchObject({ source: 'unassigned', receipt: amountOf(USDT, 4_000_000n) });
    expect(await balances()).toMatchObject({ unassigned: '0', frozen: '5000000' });
    expect(await listUnassigned(database.reader, { limit: 9 })).toEqual([]);
    const receipt = { chain: 'ETH', txId: '0xstray', position: 'log:0' };
    const assigning = {
      receipt,
      tradeNo: 'ord_1',
      currencies: eth.currencies,
      ...why,
      ...plainWriting,
      nowMs,
    };
    expect(await database.transact((tx) => assignReceipt(tx, assigning))).toEqual({ outcome: 'refunded' });
    expect(await auditBooks(database.reader)).toEqual([]);

    expect(await cancel(opened[0]?.tradeNo ?? '')).toBe('moved');
    expect(await balances()).toMatchObject({ unassigned: '5000000', frozen: '0' });
    expect(await refund('0xstray')).toMatchObject({ outcome: 'opened' });
    expect(await listRefunds(database.reader, { appId: 'app_1', limit: 9 })).toMatchObject([
      { status: 'PROGRESS', by: 'ada', reason: 'ticket 7' },
      { status: 'CANCEL' },
    ]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('lists a receipt no more of which a part reached its payer by a refund that failed', async () => {
    const back = await refund('0xstray');
    const tradeNo = back.outcome === 'opened' ? back.payout.tradeNo : '';
    await endFailed(tradeNo, '1');
    expect(await refund('0xstray')).toEqual({ outcome: 'refunded' });
    expect(await listUnassigned(database.reader, { limit: 9 })).toEqual([]);
    await endFailed(tradeNo, '0');
    expect(await listUnassigned(database.reader, { limit: 9 })).toHaveLength(1);
  });

  it('takes late money from the balance, never of an accepted order, and such an order is not accepted', async () => {
    const accept = () =>
      database.transact((tx) => acceptLate(tx, { tradeNo: 'ord_1', ...why, ...plainWriting, nowMs }));
    expect(await refund('0xlate')).toEqual({ outcome: 'balance-short' });
    await database.transact((tx) =>
      tx.write("UPDATE accounts SET balance = balance + 3000 WHERE kind = 'available'", []),
    );
    const refunded = await refund('0xlate');
    if (refunded.outcome !== 'opened') throw new Error(refunded.outcome);
    expect(refunded.payout).toMatchObject({ source: 'available', needsApproval: false });
    expect(await balances()).toMatchObject({ available: '0', frozen: '10000000' });
    expect(await accept()).toEqual({ outcome: 'short' });
    await cancel(refunded.payout.tradeNo);
    expect(await accept()).toMatchObject({ outcome: 'accepted' });
    expect(await refund('0xlate')).toEqual({ outcome: 'counts' });
  });

  it('names in the webhook of an accepted order only the money that stays', async () => {
    const { to } = (await findReceipt(database.reader, { chain: 'ETH', txId: '0xlate', position: 'log:0' }))!
      .transfer;
    const header = headerAt(3, { time: START_TIME + 1900 });
    const transfers = [transferTo(to, header, { txId: '0xmore', units: 5_000_000n })];
    await bookBlock(database, { header, transfers, final: header });
    expect(await refund('0xmore')).toMatchObject({ outcome: 'opened' });
    const writing = { ...plainWriting, nowMs };
    await database.transact((tx) => acceptLate(tx, { tradeNo: 'ord_1', ...why, ...writing }));
    const [last] = await database.reader.read<{ body: string }>(
      "SELECT body FROM events WHERE status = 'PAID'",
      [],
    );
    expect(JSON.parse(last?.body ?? '')).toMatchObject({ collected: '10000000', txId: '0xlate' });
  });

  it('of an unassigned receipt names no order, whatever address it came to', async () => {
    await database.transact((tx) => tx.write("UPDATE transfers SET trade_no = 'ord_1'", []));
    const stray = await refund('0xstray');
    const back = await findRefundBy(database.reader, stray.outcome === 'opened' ? stray.payout.tradeNo : '');
    expect(back).toMatchObject({ orderTradeNo: null });
    expect((await readOrderStory(database.reader, 'ord_1')).refunds).toEqual([]);
    await database.transact((tx) =>
      tx.write("UPDATE accounts SET balance = balance + 3000 WHERE kind = 'available'", []),
    );
    const before = await readOrderMarks(database.reader, ['ord_1']);
    const late = await refund('0xlate');
    const { tradeNo } = late.outcome === 'opened' ? late.payout : { tradeNo: '' };
    expect(await findRefundBy(database.reader, tradeNo)).toMatchObject({ orderTradeNo: 'ord_1' });
    expect((await readOrderStory(database.reader, 'ord_1')).refunds).toMatchObject([{ tradeNo }]);
    // A page that shows the order live learns of it.
    expect(await readOrderMarks(database.reader, ['ord_1'])).not.toEqual(before);
  });

  it('leaves what lies at a wallet to the operator', async () => {
    await database.transact((tx) =>
      tx.write("UPDATE addresses SET purpose = 'wallet' WHERE trade_no IS NULL", []),
    );
    expect(await refund('0xstray', { merchant: merchant() })).toEqual({ outcome: 'unknown-receipt' });
    expect(await refund('0xstray')).toMatchObject({ outcome: 'opened' });
  });

  it('asks for a second person where the app has an amount for that, and refuses what is not to be sent back', async () => {
    await database.transact((tx) => changeRules(tx, 'app_1', { approvalAbove: 1_000_000n }));
    expect(await refund('0xnone')).toEqual({ outcome: 'unknown-receipt' });
    expect(await refund('0xstray', { merchant: merchant({ appId: 'app_2' }) })).toEqual({
      outcome: 'unknown-receipt',
    });
    expect(await refund('0xstray', { gas: amountOf(USDT, 5_000_000n) })).toEqual({
      outcome: 'less-than-gas',
    });
    expect(await refund('0xstray')).toMatchObject({ outcome: 'opened', payout: { needsApproval: true } });
  });

  // hits mark: refund-pays-its-way
  // hits mark: refund-within-the-limits
  it('is bound by the rules of payouts where a person of the merchant sends it back', async () => {
    const send = (change: Partial<RefundReceipt> = {}) =>
      refund('0xstray', { merchant: merchant(), value: 5_000_000n, ...change });
    const rules = (change: RulesChange) => database.transact((tx) => changeRules(tx, 'app_1', change));
    expect(await send({ gas: amountOf(USDT, 999_999n) })).toEqual({ outcome: 'gas-short' });
    await rules({ maxValue: 4_000_000n });
    expect(await send()).toMatchObject({ outcome: 'refused', refusal: { code: 'payout-limit' } });
    await rules({ maxValue: null, maxDayValue: 9_000_000n });
    expect(await send({ value: null })).toMatchObject({ refusal: { code: 'rate-unavailable' } });
    await rules({ isAddressListOn: true });
    expect(await send()).toMatchObject({ refusal: { field: 'to_address' } });
    await rules({ isAddressListOn: false });
    await database.transact((tx) => setCodeSecret(tx, 'app_1', Buffer.of(1)));
    expect(await send()).toMatchObject({ refusal: { field: 'otp_code' } });
    const coded = { merchant: merchant({ codeStep: 7 }) };
    expect(await send(coded)).toMatchObject({ outcome: 'opened', payout: { value: 5_000_000n } });
    // It counts for the day: a payout of as much does not fit any more, nor does the late money.
    const late = await refund('0xlate', { merchant: merchant({ codeStep: 8 }), value: 5_000_000n });
    expect(late).toMatchObject({ refusal: { code: 'payout-limit' } });
  });
});

describe('refundOrder', () => {
  beforeEach(async () => {
    const terms = {
      due: amountOf(USDT, 10_000_000n),
      collected: amountOf(USDT, 0n),
      timeExpire: START_TIME + 9_000,
    };
    const { address } = await insertTestOrder(database, { tradeNo: 'ord_2', terms });
    const header = headerAt(3, { time: START_TIME + 1900 });
    const paid = transferTo(address, header, { txId: '0xpaid' });
    const extra = transferTo(address, header, { txId: '0xextra', units: 4_000_000n });
    await bookBlock(database, { header, transfers: [paid, extra], final: header });
  });

  function send(change: Partial<CreatePayout> = {}, orderTradeNo = 'ord_2') {
    const tradeNo = `pay_${++made}`;
    const input: CreatePayout = {
      tradeNo,
      appId: 'app_1',
      idempotencyKey: `key:${tradeNo}`,
      signature: tradeNo,
      inputHash: '',
      chain: eth,
      currency: usdt,
      amount: amountOf(USDT, 6_000_000n),
      gas: amountOf(USDT, 0n),
      value: 1n,
      toAddress: '0xpayer',
      networkFee: amountOf(1000, 5n),
      feeCap: amountOf(1000, 50n),
      callbackUrl: null,
      codeStep: undefined,
      nowMs,
      ...change,
    };
    return database.transact((tx) => refundOrder(tx, input, { orderTradeNo, ...why }));
  }
  const tooMuch = (most: string) => ({
    outcome: 'refused',
    refusal: {
      field: 'amount',
      message: `amount must be at most ${most} USDT: the rest of the order went back already`,
    },
  });

  // hits mark: refunds-within-the-order
  it('sends back no more than the order collected, however many are asked for at once, and gives a cancelled one back', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => send()));
    const created = all.flatMap((one) => (one.outcome === 'created' ? [one.payout] : []));
    expect(created).toHaveLength(2);
    expect(all.filter(({ outcome }) => outcome === 'refused')).toHaveLength(4);
    expect(await send({ amount: amountOf(USDT, 2_000_001n) })).toMatchObject(tooMuch('2'));
    await cancel(created[0]!.tradeNo);
    expect(await send({ amount: amountOf(USDT, 8_000_001n) })).toMatchObject(tooMuch('8'));
    expect(await send({ amount: amountOf(USDT, 7_000_000n) })).toMatchObject({ outcome: 'created' });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  // hits mark: receipt-within-its-order
  it('counts what went back of its receipts, and a receipt what went back of its order', async () => {
    expect(await refund('0xextra')).toMatchObject({ outcome: 'opened' });
    expect(await send({ amount: amountOf(USDT, 10_000_001n) })).toMatchObject(tooMuch('10'));
    const [back] = await listRefunds(database.reader, { appId: 'app_1', limit: 1 });
    await cancel(back!.tradeNo);
    expect(await send({ amount: amountOf(USDT, 10_000_001n) })).toMatchObject({ outcome: 'created' });
    expect(await refund('0xextra')).toEqual({ outcome: 'order-sent-back' });
  });

  it('counts what a customer got of a refund that failed, and sends such a receipt back no more', async () => {
    const first = await send({ amount: amountOf(USDT, 9_000_000n) });
    await endFailed(first.outcome === 'created' ? first.payout.tradeNo : '', '5000000');
    expect(await send({ amount: amountOf(USDT, 9_000_001n) })).toMatchObject(tooMuch('9'));
    const back = await refund('0xextra');
    await endFailed(back.outcome === 'opened' ? back.payout.tradeNo : '', '1000000');
    expect(await refund('0xextra')).toEqual({ outcome: 'refunded' });
    expect(await send({ amount: amountOf(USDT, 8_000_001n) })).toMatchObject(tooMuch('8'));
    expect(await send({ amount: amountOf(USDT, 8_000_000n) })).toMatchObject({ outcome: 'created' });
  });

  it('answers the same call with what it made, and lets a receipt and its order go back once between them', async () => {
    const call = { idempotencyKey: 'key:click', signature: 'click', amount: amountOf(USDT, 11_000_000n) };
    const both = await Promise.all([send(call), send(call)]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['created', 'exists']);
    const [one, other] = await Promise.all([refund('0xextra'), send({ amount: amountOf(USDT, 3_000_000n) })]);
    expect([one.outcome, other.outcome]).toEqual(['order-sent-back', 'created']);
  });

  describe('of an order that timed out', () => {
    const READY = { tradeNo: 'ord_1', ...why, ...plainWriting, nowMs };
    const back = (units: bigint) => send({ amount: amountOf(USDT, units) }, 'ord_1');
    const accept = () => database.transact((tx) => acceptLate(tx, READY));
    const outcomesOf = (all: readonly { readonly outcome: string }[]) => all.map(({ outcome }) => outcome);

    // hits mark: accepted-by-what-stays
    it('sends back what came, and the order is not accepted until that stays with its app', async () => {
      const sent = await back(1n);
      expect(sent.outcome).toBe('created');
      expect(await back(10_000_000n)).toMatchObject(tooMuch('9.999999'));
      expect(await refund('0xlate')).toEqual({ outcome: 'order-sent-back' });
      expect(await accept()).toEqual({ outcome: 'short' });
      await cancel(sent.outcome === 'created' ? sent.payout.tradeNo : '');
      expect(await accept()).toMatchObject({ outcome: 'accepted' });
      expect(await back(10_000_001n)).toMatchObject(tooMuch('10'));
      expect(await back(10_000_000n)).toMatchObject({ outcome: 'created' });
      expect(await auditBooks(database.reader)).toEqual([]);
    });

    it('is either sent back first and not accepted, or accepted first and sent back as a paid one', async () => {
      const [accepted, ...sent] = await Promise.all([accept(), back(6_000_000n), back(6_000_000n)]);
      expect(outcomesOf(sent).toSorted()).toEqual(['created', 'refused']);
      expect(['accepted', 'short']).toContain(accepted.outcome);
      // What stays is less than what is due: another person does not accept it now.
      expect((await accept()).outcome).toBe(accepted.outcome === 'accepted' ? 'already-paid' : 'short');
      const bodies = await database.reader.read<{ body: string }>(
        "SELECT body FROM events WHERE status = 'PAID' AND trade_no = 'ord_1'",
        [],
      );
      expect(bodies).toHaveLength(accepted.outcome === 'accepted' ? 1 : 0);
    });
  });

  // hits mark: refunds-of-closed-orders
  it('refuses an order that may still be paid, another currency, and the order of another app', async () => {
    await insertTestOrder(database, { tradeNo: 'ord_3' });
    expect(await send({}, 'ord_3')).toMatchObject({ refusal: { code: 'payout-conflict' } });
    expect(await send({}, 'ord_none')).toMatchObject({ refusal: { code: 'order-unknown' } });
    await insertApp(database, { appId: 'app_2', account: 2 });
    expect(await send({ appId: 'app_2' })).toEqual(await send({}, 'ord_none'));
    const coin = eth.currencies.find(({ currencyId }) => currencyId === 1000)!;
    const ether = { currency: coin, amount: amountOf(1000, 1n), gas: amountOf(1000, 0n) };
    expect(await send(ether)).toMatchObject({ refusal: { field: 'currency_id' } });
    // The rules of payouts bind it as any other.
    await database.transact((tx) => changeRules(tx, 'app_1', { maxValue: 1n }));
    expect(await send({ value: 2n })).toMatchObject({ refusal: { code: 'payout-limit' } });
    // An operator is bound by the second person alone.
    await database.transact((tx) =>
      changeRules(tx, 'app_1', { approvalAbove: 1_000_000n, isAddressListOn: true }),
    );
    await database.transact((tx) => setCodeSecret(tx, 'app_1', Buffer.of(1)));
    const operators = { byOperator: true, value: null } as const;
    expect(await send(operators)).toMatchObject({ outcome: 'created', payout: { needsApproval: true } });
  });
});
