// What a receipt that comes back does to an order that is still open, and where its value was found before.
import { eth } from '@ducat/core/chain/definitions/eth';
import { unitsOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainWriting,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { findOrder } from '../../db/tables/orders/orders.ts';
import { haltChain } from '../blocks/halt-chain.ts';
import { resumeChain } from '../blocks/resume-chain.ts';
import { rewindChain } from '../blocks/rewind-chain.ts';
import { reinstateReceipt, reverseReceipt } from './reverse-receipt.ts';

const decision = { by: 'Ada', reason: 'ticket 7', nowMs: 9_000 };
const receipt = { chain: 'ETH', txId: '0xgone', position: 'log:0' };
const onNew = (number: number) => headerAt(number, { branch: 'b' });
let database: TestDatabase;
let address: string;

/** Six of ten are paid in block 3, and reversed: the books go on from block 4 of the new branch. */
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  ({ address } = await insertTestOrder(database));
  const header = headerAt(3);
  const transfers = [transferTo(address, header, { units: 6_000_000n, txId: '0xgone' })];
  for (const number of [1, 2])
    await bookBlock(database, { header: headerAt(number), final: headerAt(number) });
  await bookBlock(database, { header, transfers, final: header });
  const halting = { chain: 'ETH', reason: 'fork', nowMs: 0, lease: TEST_LEASE };
  await database.transact((tx) => haltChain(tx, halting));
  const rewind = {
    chain: 'ETH',
    tipHash: header.hash,
    target: onNew(4),
    ancestor: { number: 2 },
    ...decision,
  };
  expect(await database.transact((tx) => rewindChain(tx, rewind))).toMatchObject({ outcome: 'rewound' });
  await database.transact((tx) => resumeChain(tx, 'ETH', 0));
  const proof = { at: onNew(3), from: 0, to: 4 };
  const reversed = await database.transact((tx) =>
    reverseReceipt(tx, { chain: eth, receipt, proof, ...decision }),
  );
  expect(reversed.outcome).toBe('reversed');
});
afterEach(() => database.drop());

function reinstate(block: number) {
  const shown = transferTo(address, onNew(block), { units: 6_000_000n, txId: '0xgone' });
  const input = { receipt, shown, ...plainWriting, ...decision };
  return database.transact((tx) => reinstateReceipt(tx, input));
}

async function order() {
  const found = await findOrder(database.reader, 'app_1', 'ord_1');
  return found === null ? null : [found.status, unitsOf(found.collected)];
}

// hits mark: reinstated-into-an-open-order
it('makes an order PAID whose payer has paid a part once more, with the one event', async () => {
  const header = onNew(5);
  const again = transferTo(address, header, { units: 6_000_000n, txId: '0xagain' });
  await bookBlock(database, { header, transfers: [again], final: header });
  expect(await order()).toEqual(['TO-BE-PAID', 6_000_000n]);
  expect(await reinstate(4)).toMatchObject({ outcome: 'reinstated', isPaidNow: true });
  expect(await order()).toEqual(['PAID', 12_000_000n]);
  const paid = `SELECT body FROM events WHERE status = 'PAID'`;
  const events = await database.reader.read<{ body: string }>(paid, []);
  expect(events.map(({ body }) => body)).toEqual([expect.stringContaining('"collected":"12000000"')]);
  expect(await auditBooks(database.reader)).toEqual([]);
});

it('leaves an order open that it does not pay in full', async () => {
  expect(await reinstate(4)).toMatchObject({ outcome: 'reinstated', isPaidNow: false });
  expect(await order()).toEqual(['TO-BE-PAID', 6_000_000n]);
  expect(await auditBooks(database.reader)).toEqual([]);
});

it('is refused where a balance has shown value, in whatever block one provider located it', async () => {
  const found = `SELECT jsonb_populate_record(t, jsonb_build_object('tx_id', 'balance:b4', 'position', to_address,
      'block_number', 4, 'block_hash', 'b4', 'disposition', 'unassigned')) AS t
    FROM transfers t WHERE position = 'log:0'`;
  await database.transact((tx) =>
    tx.write(`INSERT INTO transfers SELECT (t).* FROM (${found}) AS found`, []),
  );
  await database.transact((tx) => tx.write('UPDATE chain_cursors SET start_number = 6', []));
  expect(await reinstate(5)).toEqual({ outcome: 'found-by-balance' });
});
