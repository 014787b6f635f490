// Money to cold storage: only to what the configuration lists, one transfer at a time, and back without a new balance.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, transferTo, USDT } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { insertColdAddresses, readColdHoldings } from '../../db/tables/books/cold-storage.ts';
import { readBalances } from '../../db/tables/books/ledger.ts';
import type { TransferIdentity } from '../../db/tables/transfers/receipts.ts';
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts';
import { adoptColdTransfer } from './adopt-cold-transfer.ts';
import { askColdTransfer } from './ask-cold-transfer.ts';

const cold = `0x${'c0'.repeat(20)}`;
const wallet = `0x${'a1'.repeat(20)}`;

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await database.transact((tx) =>
    tx.write(
      `INSERT INTO addresses (app_id, family, derivation_index, address, purpose, retired)
       VALUES ('app_1', 'evm', 0, $1, 'wallet', true)`,
      [wallet],
    ),
  );
});
afterEach(() => database.drop());

const start = () => database.transact((tx) => insertColdAddresses(tx, eth.name, [cold]));

const ask = (id: string) =>
  database.transact((tx) =>
    askColdTransfer(tx, {
      coldTransferId: id,
      outgoingId: `out_${id}`,
      chain: eth,
      from: wallet,
      to: cold,
      amount: amountOf(USDT, 5n),
      feeCap: amountOf(1000, 1n),
      approval: null,
      by: 'ann',
      reason: 'a test',
      nowMs: 0,
    }),
  );

/** Money of the cold address in a final block; what the books hold there then, and what the app is owed. */
async function comesBack(number: number): Promise<readonly [held: unknown, owed: unknown]> {
  const header = headerAt(number);
  const transfers = [transferTo(wallet, header, { from: cold, units: 7n })];
  await bookBlock(database, { header, transfers, final: header });
  return [await readColdHoldings(database.reader, eth.name), await readBalances(database.reader, 'app_1')];
}

it('makes no address cold by asking', async () => {
  expect(await ask('cld_1')).toBe('not-listed');
  const [held, owed] = await comesBack(1);
  expect(held).toEqual([]);
  expect(owed).not.toEqual(new Map());
});

it('knows a cold address of the configuration after a backup that forgot the transfer', async () => {
  await start();
  await start();
  const [held, owed] = await comesBack(1);
  // The block is of the same moment as what is held.
  expect(held).toEqual([
    { address: cold, held: amountOf(USDT, -7n), final: { number: 1, hash: headerAt(1).hash } },
  ]);
  expect(owed).toEqual(new Map());
});

// hits mark: one-to-cold-at-a-time
it('lets one transfer leave a wallet at a time', async () => {
  await start();
  expect(await Promise.all([ask('cld_1'), ask('cld_2')])).toEqual(
    expect.arrayContaining(['asked', 'under-way']),
  );
  for (const id of ['cld_1', 'cld_2'])
    await database.transact((tx) => cancelOutgoing(tx, { kind: 'cold', id }, 1));
  expect(await ask('cld_3')).toBe('asked');
});

/** Its transaction cost 2 of the coin. */
function adopt(found: TransferIdentity, coldTransferId: string) {
  const { chain, txId } = found;
  const cost = { status: 'succeeded', payer: wallet, fee: amountOf(1000, 2n) } as const;
  const shown = { family: eth.family, inclusion: { chain, txId, block: headerAt(3), ...cost } };
  const input = { found, ...shown, coldTransferId, by: 'ann', reason: 'a restore', nowMs: 0 };
  return database.transact((tx) => adoptColdTransfer(tx, input));
}

// hits mark: cold-is-ended-at-a-cold-address
// hits mark: cold-goes-once
it('books what reached cold storage before a backup came back, once, and sends it no second time', async () => {
  await start();
  const first = headerAt(1);
  await bookBlock(database, {
    header: first,
    transfers: [
      transferTo(wallet, first, { units: 20n }),
      transferTo(wallet, first, { amount: amountOf(1000, 9n), txId: '0xcoin' }),
    ],
    final: first,
  });
  const goes = async (number: number, to: string, txId: string) => {
    const header = headerAt(number);
    await bookBlock(database, {
      header,
      transfers: [transferTo(to, header, { from: wallet, units: 5n, txId })],
      final: header,
    });
    return { chain: eth.name, txId, position: 'log:0' };
  };
  expect(await adopt(await goes(2, `0x${'bad0'.repeat(10)}`, '0xaa'), 'cld_a')).toBe('not-cold');
  const found = await goes(3, cold, '0xbb');
  // The same transfer waits in the books to be made: it was asked for before the backup.
  expect(await ask('cld_1')).toBe('asked');
  const run = (sql: string) => database.transact((tx) => tx.write(sql, []));
  await run("UPDATE outgoing_transactions SET state = 'prepared'");
  expect(await adopt(found, 'cld_b')).toBe('on-its-way');
  await run("UPDATE outgoing_transactions SET state = 'waiting'");
  expect(await adopt(found, 'cld_b')).toBe('ended');
  expect(await adopt(found, 'cld_c')).toBe('no-such-outflow');
  const states = await database.reader.read('SELECT state FROM outgoing_transactions', []);
  expect(states).toEqual([{ state: 'cancelled' }]);
  // The same transaction was signed again after the backup: it is done, and its nonce is spent.
  const again = await goes(4, cold, '0xcc');
  expect(await ask('cld_2')).toBe('asked');
  await run(`UPDATE outgoing_transactions SET state = 'signed', nonce = 4 WHERE subject_id = 'cld_2'`);
  await run('UPDATE senders SET next_nonce = 5, final_nonce = 4');
  await run(`INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, prepared_at_ms, tx_id, bytes, signed_at_ms,
    log_sequence) VALUES ('out_cld_2', 1, 'ETH', '{}', 0, '0xcc', 'ff', 0, 1)`);
  expect(await adopt(again, 'cld_d')).toBe('ended');
  expect(await database.reader.read('SELECT final_nonce AS spent FROM senders', [])).toEqual([{ spent: 5 }]);
  expect(await readColdHoldings(database.reader, eth.name)).toMatchObject([
    { address: cold, held: amountOf(USDT, 10n) },
  ]);
  const fees = "SELECT balance::text AS units FROM accounts WHERE kind = 'network-fee'";
  expect(await database.reader.read(fees, [])).toEqual([{ units: '-4' }]);
  expect(await auditBooks(database.reader)).toEqual([]);
});
