// The audit names every kind of corruption that a hand in the database could make.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertQrCode,
  insertTestOrder,
  plainEncode,
  transferTo,
} from '@ducat/testkit/fixtures';
import { assignReceipt } from '../../flows/orders/assign-receipt.ts';
import { auditBooks } from './audit.ts';

let database: TestDatabase;

/**
 * One order paid in full and one paid to a half, on two apps, money that nobody asked for, money that left, a move into
 * a wallet, a receipt that was assigned, and a payment to a QR code.
 */
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await insertApp(database, { appId: 'app_2', account: 2 });
  const paid = await insertTestOrder(database);
  const half = await insertTestOrder(database, { tradeNo: 'ord_2' });
  const code = await insertQrCode(database);
  const [free] = await database.reader.read<{ address: string }>(
    `SELECT address FROM addresses WHERE app_id = 'app_1' AND purpose = 'order' AND trade_no IS NULL LIMIT 1`,
    [],
  );
  const header = headerAt(1);
  await database.transact((tx) =>
    tx.write(
      `INSERT INTO addresses (purpose, family, derivation_index, address) VALUES ('wallet', 'evm', 0, '0xwallet')`,
      [],
    ),
  );
  const from = paid.address;
  const transfers = [
    transferTo(paid.address, header, { txId: 't1' }),
    transferTo(half.address, header, { txId: 't2', units: 5_000_000n }),
    transferTo(free?.address ?? '', header, { txId: 't3', units: 7n }),
    transferTo('0xstranger', header, { txId: 't4', units: 3n, from }),
    transferTo('0xwallet', header, { txId: 't5', units: 4n, from }),
    transferTo(half.address, header, { txId: 't6', units: 5n, from }),
    transferTo(free?.address ?? '', header, { txId: 't7', units: 8n }),
    transferTo(code.address, header, { txId: 't8', units: 9n }),
  ];
  await bookBlock(database, { header, transfers, final: header });
  const receipt = { chain: 'ETH', txId: 't7', position: 'log:0' };
  const writing = { encode: plainEncode, newEventId: () => 'evt_assigned', nowMs: 0 };
  const why = { by: 'ada', reason: 'a test', currencies: eth.currencies };
  await database.transact((tx) => assignReceipt(tx, { receipt, tradeNo: 'ord_2', ...why, ...writing }));
});

afterAll(() => database.drop());

class TakenBack extends Error {}

/** What the audit finds after a statement of a database superuser, who can switch triggers and constraints off; it is taken back then. */
async function findingsAfter(sql: string): Promise<readonly string[]> {
  let findings: readonly string[] = [];
  const flow = database.transact(async (tx) => {
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    await tx.write(sql, []);
    findings = await auditBooks(tx);
    throw new TakenBack();
  });
  await expect(flow).rejects.toBeInstanceOf(TakenBack);
  return findings;
}

describe('auditBooks', () => {
  it.each([
    ['a paid order made to time out', `UPDATE orders SET status = 'TIME-OUT' WHERE trade_no = 'ord_1'`],
    ['an unpaid order made paid', `UPDATE orders SET status = 'PAID' WHERE trade_no = 'ord_2'`],
    ['a final event that is gone', `DELETE FROM events WHERE status = 'PAID'`],
    ['a final event without its key', `DELETE FROM final_events`],
    ['an order without its key', `DELETE FROM order_keys WHERE trade_no = 'ord_1'`],
    ['a key of another order', `UPDATE order_keys SET trade_no = 'ord_2' WHERE trade_no = 'ord_1'`],
    ['a transfer that is gone', `DELETE FROM transfers WHERE tx_id = 't1'`],
    [
      'a booked transfer made orphan',
      `UPDATE transfers SET state = 'orphaned', disposition = NULL WHERE tx_id = 't3'`,
    ],
    ['other units of a transfer', `UPDATE transfers SET units = units + 1 WHERE tx_id = 't3'`],
    ['another kind of a transfer', `UPDATE transfers SET disposition = 'extra' WHERE tx_id = 't3'`],
    ['a transfer of another app', `UPDATE transfers SET app_id = 'app_2' WHERE tx_id = 't1'`],
    ['an account given away', `UPDATE accounts SET owner = 'app_2' WHERE kind = 'available'`],
    ['a balance changed', `UPDATE accounts SET balance = balance + 1 WHERE kind = 'fee'`],
    ['a collected sum changed', `UPDATE orders SET collected = collected + 1 WHERE trade_no = 'ord_2'`],
    ['an outflow that is gone', `DELETE FROM transfers WHERE tx_id = 't4'`],
    ['an outflow of other units', `UPDATE transfers SET units = units + 1 WHERE tx_id = 't4'`],
    ['an outflow called our own', `UPDATE transfers SET disposition = 'own' WHERE tx_id = 't4'`],
    [
      'a move out of another custody',
      `UPDATE accounts SET owner = 'ETH/0xother' WHERE owner = 'ETH/0xwallet'`,
    ],
    [
      'a wallet made a deposit address',
      `UPDATE addresses SET purpose = 'order', app_id = 'app_1', derivation_index = 999 WHERE address = '0xwallet'`,
    ],
    [
      'a booking between two deposit addresses',
      `INSERT INTO entries (fact, reference, at_ms) VALUES ('move', 'ETH/t6/log:0', 0)`,
    ],
    ['custody below nothing', `UPDATE accounts SET balance = 1 WHERE owner = 'ETH/0xwallet'`],
    ['an assignment that nobody made', `DELETE FROM receipt_assignments`],
    ['an assignment to another order', `UPDATE receipt_assignments SET trade_no = 'ord_1'`],
    ['a payment to a QR code without its number', `DELETE FROM qr_payments`],
    ['a payment to a QR code without an event', `DELETE FROM final_events WHERE trade_no LIKE 'qrp%'`],
    ['a payment of no transfer to a QR code', `UPDATE qr_payments SET tx_id = 't1'`],
    ['an assignment without its booking', `DELETE FROM entries WHERE fact = 'assignment'`],
    ['a final block taken back', `UPDATE chain_cursors SET final_number = 0`],
    [
      'an entry without postings',
      `DELETE FROM postings WHERE entry_id = (SELECT min(entry_id) FROM entries)`,
    ],
    [
      'an entry for no transfer',
      `INSERT INTO entries (fact, reference, at_ms) VALUES ('deposit', 'ETH/none/value', 0)`,
    ],
  ])('finds %s', async (_, sql) => {
    expect(await findingsAfter(sql)).not.toEqual([]);
  });

  // After all others: what they did was taken back.
  it('finds nothing in books that are right', async () => {
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('leaves no way to book one transfer twice', async () => {
    const again = `INSERT INTO entries (fact, reference, at_ms)
      SELECT 'unassigned-receipt', reference, 0 FROM entries WHERE fact = 'deposit' LIMIT 1`;
    await expect(database.transact((tx) => tx.write(again, []))).rejects.toThrow(/entries_one_per_transfer/);
  });
});
