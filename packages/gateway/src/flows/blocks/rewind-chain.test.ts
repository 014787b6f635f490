// A person leads a halted chain past a fork below its final height, and nothing that is booked is lost or booked again.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { listAuditEntries } from '../../db/tables/access/audit-log.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { readSendersAtWork } from '../../db/tables/outgoing/senders.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  transferTo,
  TEST_LEASE,
} from '@ducat/testkit/fixtures';
import { prepareOutgoing } from '../outgoing/prepare-outgoing.ts';
import { rebuildExpired } from '../outgoing/rebuild-expired.ts';
import { resumeSender } from '../outgoing/resume-sender.ts';
import { haltChain } from './halt-chain.ts';
import { resumeChain } from './resume-chain.ts';
import { rewindChain } from './rewind-chain.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});

afterEach(() => database.drop());

/** As the command does it, after a look that saw this head. */
async function rewind(target: BlockHeader, seen?: string, ancestor = 2) {
  const tipHash = seen ?? (await readCursors(database.reader)).get('ETH')?.head?.hash ?? '';
  const input = {
    chain: 'ETH',
    tipHash,
    target,
    ancestor: { number: ancestor },
    by: 'Ada',
    reason: 'ticket 7',
    nowMs: 1_000,
  };
  return database.transact((tx) => rewindChain(tx, input));
}

async function accept(header: BlockHeader, to: readonly string[], final: BlockHeader | null) {
  const transfers = to.map((address) => transferTo(address, header, { txId: `tx-${address}` }));
  return bookBlock(database, { header, transfers, final });
}

const onNew = (number: number) => headerAt(number, { branch: 'b', ...(number === 3 ? { parent: 'a' } : {}) });
const halt = () =>
  database.transact((tx) =>
    haltChain(tx, { chain: 'ETH', reason: 'fork below the final height', nowMs: 0, lease: TEST_LEASE }),
  );
const resume = () => database.transact((tx) => resumeChain(tx, 'ETH', 0));

const run = (sql: string) => database.transact((tx) => tx.write<{ id: number }>(sql, []));

/** A signed transaction that expires then, refers to this block and is the sender's only one. */
async function insertSigned(reference: number, expiresAtMs = 1): Promise<number> {
  await run(
    "INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('pay-ETH', 1, 'test', 0, 0)",
  );
  const [sender] = await run(
    `WITH wallet AS (
       INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
       VALUES ('app_1', 'evm', 77, '0xwallet', 'wallet') RETURNING address_id
     ) INSERT INTO senders (chain, address_id, next_nonce, final_nonce, stopped_reason, stopped_at_ms)
     SELECT 'ETH', address_id, 6, 5, 'looked at', 0 FROM wallet RETURNING sender_id AS id`,
  );
  await run(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject,
      currency_id, to_address, units, fee_cap, state, nonce, next_at_ms, created_at_ms)
    VALUES ('out_1', ${sender?.id ?? 0}, 'ETH', 'payout', 'p1', '{}', 1, '0xto', 1, 1, 'signed', 5, 0, 0)`);
  await run(`INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, expires_at_ms, reference, prepared_at_ms,
      tx_id, bytes, signed_at_ms, log_sequence)
    VALUES ('out_1', 1, 'ETH', '{}', ${expiresAtMs}, ${reference}, 0, '0xsigned', 'ff', 0, 1)`);
  return sender?.id ?? 0;
}

const under = { chain: 'ETH', nowMs: 9_000, lease: TEST_LEASE };
async function rebuild(outgoingIds: readonly string[]) {
  const rebuilt = await database.transact((tx) => rebuildExpired(tx, { ...under, outgoingIds }));
  return rebuilt?.toSorted();
}

/** As on Tron: another transaction for the same. */
function buildAnew(outgoingId: string, senderId: number) {
  const ready = {
    outgoingId,
    subject: { kind: 'payout', id: outgoingId, approval: null },
    key: { account: 1, branch: 'wallet', index: 0 },
    currency: eth.currencies[0]!,
    to: '0xto',
    amount: amountOf(1000, 1n),
    delegation: null,
    sweeping: null,
    terms: { family: 'tron', feeLimit: 1n },
    lastOrdinal: 1,
  } as const;
  const chain = { ...eth, family: 'tron' } as const;
  return database.transact((tx) =>
    prepareOutgoing(tx, { chain, senderId, ready: [ready], mostOpen: 99, nowMs: 9_000, lease: TEST_LEASE }),
  );
}

const readOutgoing = () =>
  database.reader.read<{ id: string; state: string }>(
    `SELECT outgoing_id AS id, state, nonce, trouble, may_be_unread AS unread,
       (SELECT count(*)::integer FROM outgoing_variants v WHERE v.outgoing_id = o.outgoing_id) AS variants
     FROM outgoing_transactions o ORDER BY 1`,
    [],
  );

/** Beside `out_1`, which has expired: one of each kind, and two with nonces. */
async function insertOthers(): Promise<void> {
  for (const [id, kind, action] of [
    ['out_2', 'collection', "'transfer', NULL, NULL::integer"],
    ['out_3', 'funding', "'transfer', NULL, NULL"],
    ['out_4', 'cold', "'transfer', NULL, NULL"],
    ['out_5', 'collection', "'delegate', 'staker', 3"],
  ])
    await run(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject,
        currency_id, to_address, units, fee_cap, state, next_at_ms, created_at_ms, action, staker, permission)
      SELECT '${id}', sender_id, chain, '${kind}', '${id}', '{}', 1000, '0xto', 1, 1, state, 0, 0, ${action}
      FROM outgoing_transactions WHERE outgoing_id = 'out_1'`);
  await run(`INSERT INTO outgoing_variants SELECT o.outgoing_id, v.ordinal, v.chain, v.intent, v.expires_at_ms, v.reference,
      v.prepared_at_ms, '0x' || o.outgoing_id, v.bytes, v.signed_at_ms, v.log_sequence
    FROM outgoing_transactions o, outgoing_variants v WHERE o.outgoing_id <> 'out_1'`);
  for (const [id, state, nonce] of [
    ['out_8', 'prepared', 8],
    ['out_9', 'signed', 9],
  ])
    await run(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject,
        currency_id, to_address, units, fee_cap, state, nonce, next_at_ms, created_at_ms)
      SELECT '${id}', sender_id, chain, 'payout', '${id}', '{}', 1000, '0xto', 1, 1, '${state}', ${nonce}, 0, 0
      FROM outgoing_transactions WHERE outgoing_id = 'out_1'`);
  await run(`INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, prepared_at_ms, tx_id, bytes, signed_at_ms,
      log_sequence) VALUES ('out_8', 1, 'ETH', '{}', 0, NULL, NULL, NULL, NULL),
      ('out_9', 1, 'ETH', '{}', 0, '0x9', 'ff', 0, 1), ('out_9', 2, 'ETH', '{}', 0, NULL, NULL, NULL, NULL)`);
}

describe('rewinding a chain', () => {
  // hits mark: no-expiry-is-proven-by-another-branch
  it('takes back that a transaction has expired, and lets the blocks of the new branch prove it', async () => {
    for (const number of [1, 2, 3, 4]) await accept(headerAt(number), [], headerAt(number));
    const senderId = await insertSigned(1, headerAt(3).time * 1_000);
    await insertOthers();
    await run('UPDATE senders SET stopped_reason = NULL, stopped_at_ms = NULL');
    const expired = ['out_1', 'out_2', 'out_3', 'out_4', 'out_5'];
    expect(await rebuild(expired)).toEqual(expired);
    expect(await buildAnew('out_2', senderId)).toEqual({ outcome: 'prepared', count: 1 });
    await run(
      `UPDATE outgoing_transactions SET trouble = 'too dear', trouble_since_ms = 1 WHERE outgoing_id = 'out_4'`,
    );
    const [prepared, replaced] = (await readOutgoing()).slice(-2);
    await halt();
    expect(await rewind(headerAt(2))).toEqual({ outcome: 'rewound', orphaned: 0, unread: 0 });
    await resume();
    // The new branch holds one of them, in a block before it expired.
    const [block, txId] = [onNew(3), '0xout_3'];
    const inclusion = {
      chain: 'ETH',
      txId,
      block,
      status: 'failed',
      payer: '0xwallet',
      fee: amountOf(1000, 1n),
    } as const;
    await bookBlock(database, { header: block, inclusions: [inclusion] });
    expect(await buildAnew('out_3', senderId)).toEqual({ outcome: 'prepared', count: 0 });
    const signed = { state: 'signed', nonce: null, trouble: null, unread: false, variants: 1 };
    expect(await readOutgoing()).toEqual([...expired.map((id) => ({ id, ...signed })), prepared, replaced]);
    expect(await rebuild(expired)).toEqual([]);
    for (const number of [4, 5]) await accept(onNew(number), [], onNew(number));
    expect(await rebuild(expired)).toEqual(expired.filter((id) => id !== 'out_3'));
  });

  it('takes neither an expiry nor a spent nonce for a proof where blocks were skipped', async () => {
    const { address } = await insertTestOrder(database);
    for (const number of [1, 2]) await accept(headerAt(number), [], headerAt(number));
    await accept(headerAt(3), [address], headerAt(3));
    await accept(headerAt(4), [], headerAt(4));
    const senderId = await insertSigned(4);
    await halt();
    expect(await rewind(onNew(4))).toEqual({ outcome: 'rewound', orphaned: 0, unread: 1 });
    await resume();
    for (const number of [5, 6]) await accept(onNew(number), [], onNew(number));
    expect(await rebuild(['out_1'])).toEqual([]);
    const spent = { ...under, senderId, at: { number: 6 }, reported: 6, reason: 'looked at' };
    expect(await database.transact((tx) => resumeSender(tx, spent))).toEqual({
      outcome: 'resumed',
      failed: [],
    });
    // It stays signed, and holds up nothing behind it.
    expect(await readSendersAtWork(database.reader, { chain: 'ETH', limit: 9 })).toMatchObject([
      { finalNonce: 6, lowestOpen: null, inFlight: 0, stoppedReason: null },
    ]);
  });

  it('goes on behind no block with something seen that is not final, and forgets what was seen on the other branch', async () => {
    const first = await insertTestOrder(database);
    const second = await insertTestOrder(database, { tradeNo: 'ord_2' });
    for (const number of [1, 2]) await accept(headerAt(number), [], headerAt(number));
    await accept(headerAt(3), [first.address], null);
    await halt();
    expect(await rewind(onNew(4))).toEqual({ outcome: 'unsettled' });
    await resume();
    await accept(headerAt(4), [], headerAt(4));
    await accept(headerAt(5), [second.address], null);
    // It waits below the final height, as something that was not searched for does.
    await database.transact((tx) => tx.write('UPDATE chain_cursors SET final_number = 5', []));
    await halt();
    expect(await rewind(onNew(5), undefined, 4)).toMatchObject({ outcome: 'rewound', orphaned: 1 });
    await resume();
    expect(await accept(onNew(6), [], onNew(6))).toMatchObject({ settled: { transfers: 0 } });
  });

  it('goes on from the last common block where nothing was credited behind it, and misses nothing', async () => {
    const { address } = await insertTestOrder(database);
    for (const number of [1, 2, 3, 4]) await accept(headerAt(number), [], headerAt(number));
    await accept(headerAt(5), [address], null);
    await halt();
    expect(await rewind(headerAt(2))).toEqual({ outcome: 'rewound', orphaned: 1, unread: 0 });
    await resume();
    expect(await accept(onNew(3), [address], onNew(3))).toMatchObject({
      outcome: 'accepted',
      seen: 1,
      settled: { transfers: 1 },
    });
    expect(await auditBooks(database.reader)).toEqual([]);
    const reorgs = await database.reader.read(
      'SELECT from_number, ancestor_number, orphaned FROM reorgs',
      [],
    );
    expect(reorgs).toEqual([{ from_number: 5, ancestor_number: 2, orphaned: 1 }]);
  });

  it('goes on behind what was credited, keeps the credit, and counts a payment that comes again', async () => {
    const first = await insertTestOrder(database);
    const second = await insertTestOrder(database, { tradeNo: 'ord_2' });
    for (const number of [1, 2]) await accept(headerAt(number), [], headerAt(number));
    await accept(headerAt(3), [first.address], headerAt(3));
    await accept(headerAt(4), [], headerAt(4));
    await accept(headerAt(5), [second.address], null);
    expect(await rewind(onNew(4))).toEqual({ outcome: 'runs' });
    await halt();
    // hits mark: nothing-booked-is-read-again
    expect(await rewind(headerAt(2))).toEqual({ outcome: 'booked-behind' });
    expect(await rewind(onNew(4), 'a4')).toEqual({ outcome: 'changed' });
    expect(await rewind(onNew(4))).toEqual({ outcome: 'rewound', orphaned: 1, unread: 0 });
    await resume();
    expect((await readCursors(database.reader)).get('ETH')).toMatchObject({
      head: { number: 4, hash: 'b4' },
    });
    expect(await accept(onNew(5), [], onNew(5))).toMatchObject({ outcome: 'accepted' });
    expect(await accept(onNew(6), [second.address], onNew(6))).toMatchObject({ settled: { transfers: 1 } });
    expect(await auditBooks(database.reader)).toEqual([]);
    expect(await accept(onNew(7), [first.address], null)).toMatchObject({ outcome: 'repeats' });
    await halt();
    expect(await rewind(onNew(7), undefined, 6)).toEqual({ outcome: 'rewound', orphaned: 0, unread: 0 });
    const log = await listAuditEntries(database.reader, { merchantId: null, before: 9, limit: 9 });
    expect(log.map(({ detail }) => detail)).toEqual([
      'from 6 b6 to 7 b7, by Ada: ticket 7',
      'from 5 a5 to 4 b4, by Ada: ticket 7',
    ]);
    await resume();
    expect(await accept(onNew(8), [], onNew(8))).toMatchObject({ outcome: 'accepted' });
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});
