// A person leads a halted chain past a fork below its final height, and nothing that is booked is lost or booked again.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { listAuditEntries } from '../../db/tables/access/audit-log.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  transferTo,
  TEST_LEASE,
} from '@ducat/testkit/fixtures';
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
async function rewind(target: BlockHeader, seen?: string) {
  const tipHash = seen ?? (await readCursors(database.reader)).get('ETH')?.head?.hash ?? '';
  const input = { chain: 'ETH', tipHash, target, by: 'Ada', reason: 'ticket 7', nowMs: 1_000 };
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

describe('rewinding a chain', () => {
  it('goes on from the last common block where nothing was credited behind it, and misses nothing', async () => {
    const { address } = await insertTestOrder(database);
    for (const number of [1, 2, 3, 4]) await accept(headerAt(number), [], headerAt(number));
    await accept(headerAt(5), [address], null);
    await halt();
    expect(await rewind(headerAt(2))).toEqual({ outcome: 'rewound', orphaned: 1 });
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
    expect(await rewind(onNew(4))).toEqual({ outcome: 'rewound', orphaned: 1 });
    await resume();
    expect((await readCursors(database.reader)).get('ETH')).toMatchObject({
      head: { number: 4, hash: 'b4' },
    });
    expect(await accept(onNew(5), [], onNew(5))).toMatchObject({ outcome: 'accepted' });
    expect(await accept(onNew(6), [second.address], onNew(6))).toMatchObject({ settled: { transfers: 1 } });
    expect(await auditBooks(database.reader)).toEqual([]);
    expect(await accept(onNew(7), [first.address], null)).toMatchObject({ outcome: 'repeats' });
    await halt();
    expect(await rewind(onNew(7))).toEqual({ outcome: 'rewound', orphaned: 0 });
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
