// A receipt that a deep fork took away leaves the books once, with its proof, and comes back if the chain holds it again.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Transfer } from '@ducat/core/chain/transfer';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertQrCode,
  insertTestOrder,
  plainEncode,
  TEST_LEASE,
  transferTo,
  USDT,
} from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { listAuditEntries } from '../../db/tables/access/audit-log.ts';
import { readBalances } from '../../db/tables/books/ledger.ts';
import { readExpectedBalances } from '../../db/tables/books/expected-balances.ts';
import { listDebts } from '../../db/tables/books/reversal-entries.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { listMerchantQrCodes } from '../../db/reports/dashboard/qr-code-list.ts';
import { readOrderCredits } from '../../db/reports/dashboard/orders/order-credits.ts';
import { readCheckoutOrders } from '../../db/tables/orders/checkout-orders.ts';
import { findOrder } from '../../db/tables/orders/orders.ts';
import { listQrCodes } from '../../db/tables/qr/qr-codes.ts';
import { listQrTransfers } from '../../db/tables/qr/qr-payments.ts';
import { listUnassigned } from '../../db/tables/transfers/receipts.ts';
import { repayDebt } from './repay-debt.ts';
import { acceptLate } from '../orders/accept-late.ts';
import { assignReceipt } from '../orders/assign-receipt.ts';
import { haltChain } from '../blocks/halt-chain.ts';
import { resumeChain } from '../blocks/resume-chain.ts';
import { reinstateReceipt, reverseReceipt } from './reverse-receipt.ts';
import { rewindChain } from '../blocks/rewind-chain.ts';

let database: TestDatabase;
let payTo: string;
let free: string;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2, feePpm: 300 });
  payTo = (await insertTestOrder(database)).address;
  const [row] = await database.reader.read<{ address: string }>(
    'SELECT address FROM addresses WHERE trade_no IS NULL LIMIT 1',
    [],
  );
  free = row?.address ?? '';
  for (const number of [1, 2])
    await bookBlock(database, { header: headerAt(number), final: headerAt(number) });
});
afterEach(() => database.drop());

const run = (sql: string) => database.transact((tx) => tx.write(sql, []));
const onNew = (number: number) => headerAt(number, { branch: 'b' });
const identity = (txId = '0xgone') => ({ chain: 'ETH', txId, position: 'log:0' });
const decision = { by: 'Ada', reason: 'ticket 7', nowMs: 9_000 };
const writing = { encode: plainEncode, newEventId: () => `evt_${Math.random()}`, nowMs: 7_000 };

/** Books a transfer in block 3, and leads the chain past a fork that skips block 3 and 4. */
async function receive(to: string, units = 10_000_000n, change: Partial<Transfer> = {}) {
  const header = headerAt(3);
  const transfer = transferTo(to, header, { units, txId: '0xgone', ...change });
  await bookBlock(database, { header, transfers: [transfer], final: header });
  await bookBlock(database, { header: headerAt(4), final: headerAt(4) });
  return transfer;
}

async function fork(target = 4): Promise<void> {
  const halting = { chain: 'ETH', reason: 'fork', nowMs: 0, lease: TEST_LEASE };
  await database.transact((tx) => haltChain(tx, halting));
  const tipHash = (await readCursors(database.reader)).get('ETH')?.head?.hash ?? '';
  const rewind = { chain: 'ETH', tipHash, target: onNew(target), ancestor: { number: 2 }, ...decision };
  expect(await database.transact((tx) => rewindChain(tx, rewind))).toMatchObject({ outcome: 'rewound' });
  await database.transact((tx) => resumeChain(tx, 'ETH', 0));
}

const proof = { at: onNew(3), from: 0, to: 4 };
const reverse = (change: Partial<typeof proof> = {}, txId?: string) =>
  database.transact((tx) =>
    reverseReceipt(tx, { chain: eth, receipt: identity(txId), proof: { ...proof, ...change }, ...decision }),
  );
const reinstate = (shown: Transfer) =>
  database.transact((tx) => reinstateReceipt(tx, { receipt: identity(), shown, ...writing, ...decision }));

async function accounts() {
  const rows = await database.reader.read<{ kind: string; balance: string }>(
    `SELECT kind, balance::text AS balance FROM accounts WHERE currency_id = ${USDT} AND balance <> 0`,
    [],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

async function held(address: string): Promise<bigint> {
  const [row] = await database.reader.read<{ id: number }>(
    `SELECT address_id AS id FROM addresses WHERE address = '${address}'`,
    [],
  );
  const id = row?.id ?? 0;
  const expected = await readExpectedBalances(database.reader, {
    chain: 'ETH',
    addressIds: [id],
    atBlock: 9,
  });
  return unitsOf(expected.get(id)?.get(USDT) ?? amountOf(USDT, 0n));
}

async function order() {
  const found = await findOrder(database.reader, 'app_1', 'ord_1');
  return { status: found?.status, collected: unitsOf(found?.collected ?? amountOf(USDT, -1n)) };
}

/** A payout that is on its way, for a refund. */
const insertRefund = () =>
  run(`INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address,
        amount, service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval,
        create_time)
      VALUES ('pay_1', 'app_1', 'k', 's', 'h', 'ETH', ${USDT}, '0xto', 1, 0, 0, 1, 1, 1000, 0, 0, 'PROGRESS', false, 0)`);

describe('a payment that a deep fork took away', () => {
  // hits mark: reversed-once
  it('leaves the books once: its app, its fee, its address and what its order collected', async () => {
    await receive(payTo);
    expect(await accounts()).toEqual({ custody: '-10000000', available: '9997000', fee: '3000' });
    await fork();
    expect(await reverse()).toMatchObject({ outcome: 'reversed' });
    expect(await reverse()).toEqual({ outcome: 'reversed-before' });
    expect(await accounts()).toEqual({});
    expect(await held(payTo)).toBe(0n);
    expect(await order()).toEqual({ status: 'PAID', collected: 0n });
    expect(await auditBooks(database.reader)).toEqual([]);
    const [entry] = await listAuditEntries(database.reader, { merchantId: null, before: 9, limit: 1 });
    expect(entry).toMatchObject({
      operation: 'deposits.reverse',
      subject: 'ETH/0xgone/log:0',
      detail: 'block 3 is b3, not a3; in no block from 0 to 4, by Ada: ticket 7',
    });
  });

  // hits mark: a-reversal-needs-another-block
  // hits mark: a-reversal-searches-every-skipped-block
  it.each([
    ['its block is on the chain', { at: headerAt(3) }],
    ['another height was looked at', { at: onNew(4) }],
    ['a skipped block was not searched', { to: 3 }],
    ['the search began too high', { from: 1 }],
  ])('stays where %s', async (_, change) => {
    await receive(payTo);
    await fork();
    expect(await reverse(change)).toEqual({ outcome: 'not-proven' });
    expect(await accounts()).toMatchObject({ custody: '-10000000' });
  });

  it('stays where no blocks were skipped, and where the books hold no such receipt', async () => {
    await receive(payTo);
    expect(await reverse()).toEqual({ outcome: 'not-proven' });
    expect(await reverse({}, '0xother')).toEqual({ outcome: 'unknown-receipt' });
  });

  it('leaves a part that is paid later short of what is due', async () => {
    await receive(payTo, 6_000_000n);
    await fork();
    await reverse();
    const header = onNew(5);
    const later = transferTo(payTo, header, { units: 6_000_000n, txId: '0xlater' });
    await bookBlock(database, { header, transfers: [later], final: header });
    expect(await order()).toEqual({ status: 'TO-BE-PAID', collected: 6_000_000n });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('is owed by its app where the app has less left, and repaid later', async () => {
    await receive(payTo);
    await run(`UPDATE accounts SET balance = 1000 WHERE kind = 'available'`);
    await fork();
    await reverse();
    expect(await accounts()).toEqual({ receivable: '-9996000' });
    expect((await readBalances(database.reader, 'app_1')).get(USDT)).toMatchObject({
      total: amountOf(USDT, 0n),
    });
    expect(await listDebts(database.reader)).toEqual([
      { appId: 'app_1', amount: amountOf(USDT, 9_996_000n) },
    ]);
    const repay = (nowMs: number) =>
      database.transact((tx) => repayDebt(tx, { appId: 'app_1', currencyId: USDT, ...decision, nowMs }));
    expect(await repay(1)).toEqual({ outcome: 'nothing-available' });
    await run(`UPDATE accounts SET balance = 9000000 WHERE kind = 'available'`);
    expect(await repay(2)).toEqual({ outcome: 'repaid', amount: amountOf(USDT, 9_000_000n) });
    await run(`UPDATE accounts SET balance = 9000000 WHERE kind = 'available'`);
    expect(await repay(3)).toEqual({ outcome: 'repaid', amount: amountOf(USDT, 996_000n) });
    expect(await repay(4)).toEqual({ outcome: 'nothing-owed' });
    expect(await accounts()).toEqual({ available: '8004000' });
  });

  // hits mark: what-was-sent-back-is-not-reversed
  it('stays where its order was refunded, because less is left', async () => {
    await receive(payTo);
    await insertRefund();
    await run(`INSERT INTO order_refunds (trade_no, order_trade_no, refunded_by, reason, at_ms)
      VALUES ('pay_1', 'ord_1', 'Ada', 'back', 1)`);
    await fork();
    expect(await reverse()).toEqual({ outcome: 'sent-back' });
    expect(await order()).toEqual({ status: 'PAID', collected: 10_000_000n });
  });
});

it('a payment that is gone was taken away by a reorg, as its page shows it', async () => {
  await receive(payTo);
  await fork();
  await reverse();
  const page = (await readCheckoutOrders(database.reader, ['ord_1'])).get('ord_1');
  expect(page?.transfers).toMatchObject([{ txId: '0xgone', position: 'log:0', state: 'orphaned' }]);
});

it('a payment to a QR code leaves the books and the lists of the code', async () => {
  const { address, qrCodeId } = await insertQrCode(database);
  await receive(address);
  expect(await listQrTransfers(database.reader, qrCodeId, 9)).toHaveLength(1);
  await fork();
  expect(await reverse()).toMatchObject({ outcome: 'reversed' });
  expect(await accounts()).toEqual({});
  expect(await listQrTransfers(database.reader, qrCodeId, 9)).toEqual([]);
  const none = { payments: 0, collected: amountOf(USDT, 0n) };
  expect(await listQrCodes(database.reader, { limit: 9 })).toMatchObject([none]);
  const page = { appIds: ['app_1'], before: 999, limit: 9, countTo: 9 };
  expect(await listMerchantQrCodes(database.reader, page)).toMatchObject([none]);
  expect(await auditBooks(database.reader)).toEqual([]);
});

it('a payment that is gone leaves nothing frozen at its address', async () => {
  await receive(payTo);
  // As after three collections that failed, because the money was gone already.
  await run(`UPDATE holdings SET state = 'frozen', failures = 3, units = 10000000, next_at_ms = NULL,
    reason = 'it failed'`);
  await fork();
  await reverse();
  expect(await database.reader.read('SELECT state, failures FROM holdings', [])).toEqual([
    { state: 'waiting', failures: 0 },
  ]);
  await run(`UPDATE accounts SET balance = 500 WHERE kind = 'available'`);
  expect((await readBalances(database.reader, 'app_1')).get(USDT)?.operable).toEqual(amountOf(USDT, 500n));
});

it('a receipt in another currency of its order, gone, changes nothing of what the order brought', async () => {
  const header = headerAt(3);
  const other = amountOf(1002, 5_000_000n);
  const transfers = [
    transferTo(payTo, header, { txId: '0xpaid' }),
    transferTo(payTo, header, { txId: '0xgone', amount: other }),
  ];
  await bookBlock(database, { header, transfers, final: header });
  await bookBlock(database, { header: headerAt(4), final: headerAt(4) });
  const before = await readOrderCredits(database.reader, ['ord_1']);
  await fork();
  expect(await reverse()).toMatchObject({ outcome: 'reversed' });
  expect(await readOrderCredits(database.reader, ['ord_1'])).toEqual(before);
  expect(await auditBooks(database.reader)).toEqual([]);
});

const assignment = { tradeNo: 'ord_1', currencies: eth.currencies, ...decision, ...writing };
const assign = () => database.transact((tx) => assignReceipt(tx, { receipt: identity(), ...assignment }));

describe('a receipt for no order', () => {
  it('leaves what waits for a decision, and can be neither assigned nor listed', async () => {
    await receive(free);
    await fork();
    expect(await reverse()).toMatchObject({ outcome: 'reversed' });
    expect(await accounts()).toEqual({});
    expect(await listUnassigned(database.reader, { limit: 9 })).toEqual([]);
    expect(await assign()).toEqual({ outcome: 'unknown-receipt' });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  // hits mark: a-reversal-is-seen-behind-the-lock
  it('cannot be assigned by a person who waits for its reversal', async () => {
    await receive(free);
    await fork();
    const assignment = { receipt: identity(), tradeNo: 'ord_1', currencies: eth.currencies, ...writing };
    const input = { chain: eth, receipt: identity(), proof, ...decision };
    const assigned = await database.transact(async (tx) => {
      await reverseReceipt(tx, input);
      const waiting = database.transact((other) =>
        assignReceipt(other, { ...assignment, by: 'Ada', reason: 'x' }),
      );
      await waitUntil('the assignment to wait', async () => {
        const locked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await database.reader.read(locked, [])).length > 0;
      });
      return { waiting };
    });
    expect(await assigned.waiting).toEqual({ outcome: 'unknown-receipt' });
    expect(await order()).toEqual({ status: 'TO-BE-PAID', collected: 0n });
  });

  // hits mark: a-refunded-receipt-is-not-reversed
  it('stays where it is on its way back', async () => {
    await receive(free);
    await insertRefund();
    await run(`INSERT INTO receipt_refunds (trade_no, chain, tx_id, position, refunded_by, reason, at_ms)
      VALUES ('pay_1', 'ETH', '0xgone', 'log:0', 'Ada', 'back', 1)`);
    await fork();
    expect(await reverse()).toEqual({ outcome: 'sent-back' });
    expect(await accounts()).toMatchObject({ unassigned: '10000000' });
  });

  it('leaves its order too where it was assigned', async () => {
    await receive(free);
    await assign();
    expect(await order()).toEqual({ status: 'PAID', collected: 10_000_000n });
    await fork();
    expect(await reverse()).toMatchObject({ outcome: 'reversed' });
    expect(await accounts()).toEqual({});
    expect(await order()).toEqual({ status: 'PAID', collected: 0n });
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});

it('a late payment that is gone cannot be accepted', async () => {
  await run('UPDATE orders SET time_expire = create_time - 1');
  await receive(payTo);
  expect(await order()).toEqual({ status: 'TIME-OUT', collected: 10_000_000n });
  await fork();
  await reverse();
  const { outcome } = await database.transact((tx) => acceptLate(tx, { ...assignment }));
  expect(outcome).not.toBe('accepted');
  expect(await auditBooks(database.reader)).toEqual([]);
});

describe('a move between two addresses of ours', () => {
  it('goes back to the address that it left', async () => {
    await run(`INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
      VALUES ('app_1', 'evm', 0, '0xwallet', 'wallet')`);
    const header = headerAt(3);
    const paid = transferTo(payTo, header, { txId: '0xpaid' });
    const moved = transferTo('0xwallet', header, { txId: '0xgone', from: payTo });
    await bookBlock(database, { header, transfers: [paid, moved], final: header });
    await bookBlock(database, { header: headerAt(4), final: headerAt(4) });
    expect([await held(payTo), await held('0xwallet')]).toEqual([0n, 10_000_000n]);
    // As the collector does once all is collected.
    await run('DELETE FROM holdings');
    await fork();
    expect(await reverse()).toMatchObject({ outcome: 'reversed' });
    expect([await held(payTo), await held('0xwallet')]).toEqual([10_000_000n, 0n]);
    expect(await database.reader.read('SELECT state FROM holdings', [])).toEqual([{ state: 'waiting' }]);
    expect(await accounts()).toEqual({ custody: '-10000000', available: '9997000', fee: '3000' });
    expect(await auditBooks(database.reader)).toEqual([]);
    // Not a second time by its counterpart, which a rewind past a second fork would list.
    const input = { chain: eth, receipt: { ...identity(), position: 'log:0/reversed' }, ...decision };
    const second = { at: headerAt(3, { branch: 'c' }), from: 0, to: 4 };
    expect(await database.transact((tx) => reverseReceipt(tx, { ...input, proof: second }))).toEqual({
      outcome: 'unknown-receipt',
    });
    expect(await reinstate({ ...moved, block: onNew(4) })).toMatchObject({ outcome: 'reinstated' });
    expect([await held(payTo), await held('0xwallet')]).toEqual([0n, 10_000_000n]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});

describe('a reversed receipt that is on the chain again', () => {
  it('counts again as it did, once', async () => {
    const received = await receive(payTo);
    const before = await accounts();
    await fork();
    await reverse();
    const shown = { ...received, block: onNew(4) };
    expect(await reinstate(shown)).toMatchObject({ outcome: 'reinstated' });
    expect(await accounts()).toEqual(before);
    expect(await order()).toEqual({ status: 'PAID', collected: 10_000_000n });
    expect(await held(payTo)).toBe(10_000_000n);
    expect(await auditBooks(database.reader)).toEqual([]);
    expect(await reinstate(shown)).toEqual({ outcome: 'not-reversed' });
    expect(await reverse()).toEqual({ outcome: 'reversed-before' });
  });

  // hits mark: reinstated-as-it-was
  it('stays out where the block holds something else, and where the books have to read the block themselves', async () => {
    const received = await receive(payTo);
    expect(await reinstate({ ...received, block: onNew(4) })).toEqual({ outcome: 'not-reversed' });
    await fork();
    await reverse();
    const shown = { ...received, block: onNew(4) };
    for (const change of [{ amount: amountOf(USDT, 1n) }, { to: free }, { from: '0xother' }])
      expect(await reinstate({ ...shown, ...change })).toEqual({ outcome: 'differs' });
    expect(await reinstate({ ...shown, block: onNew(5) })).toEqual({ outcome: 'not-skipped' });
    expect(await accounts()).toEqual({});
  });
});

it('a reversal that was written wrongly is found by the audit', async () => {
  await receive(payTo);
  await fork();
  await reverse();
  await run(`UPDATE transfers SET units = units + 1 WHERE position = 'log:0/reversed'`);
  const findings = (await auditBooks(database.reader)).join('\n');
  expect(findings).toContain('transfer ETH/0xgone/log:0/reversed and its booking differ');
});
