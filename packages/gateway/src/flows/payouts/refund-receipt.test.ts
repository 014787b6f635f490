// A receipt goes back once: its money is bound where it lay, and comes back there where the refund is cancelled.
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
import { listRefunds } from '../../db/tables/payouts/receipt-refunds.ts';
import { findReceipt, listUnassigned } from '../../db/tables/transfers/receipts.ts';
import { acceptLate } from '../orders/accept-late.ts';
import { assignReceipt } from '../orders/assign-receipt.ts';
import { cancelPayout } from './cancel-payout.ts';
import { changeRules, type RulesChange } from './change-rules.ts';
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
