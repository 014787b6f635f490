// Several blocks at once: the books are the same as block by block, and what is not plain leaves them untouched.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  headerAt,
  insertApp,
  insertTestOrder,
  plainEncode,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import { acceptBlock } from './accept-block.ts';
import { acceptPlainBlocks, MOST_AT_ONCE, type PlainBlock } from './accept-plain-blocks.ts';
import { haltChain } from './halt-chain.ts';
import { undoBlocks } from './undo-blocks.ts';

let database: TestDatabase;
let address: string;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  ({ address } = await insertTestOrder(database));
});

afterEach(() => database.drop());

const common = { chain: eth, lease: TEST_LEASE, nowMs: 5_000 };

function acceptOne({ header, transfers }: PlainBlock, final: { number: number; hash: string } | null = null) {
  const writing = { encode: plainEncode, newEventId: () => `evt_${header.number}` };
  return database.transact((tx) => acceptBlock(tx, { ...common, ...writing, header, transfers, final }));
}

function acceptAll(blocks: readonly PlainBlock[], lease = TEST_LEASE) {
  return database.transact((tx) => acceptPlainBlocks(tx, { ...common, blocks, lease }));
}

function paying(number: number, ids: readonly string[]): PlainBlock {
  const header = headerAt(number);
  const stranger = transferTo('0xstranger', header, { txId: `0xother${number}` });
  return { header, transfers: [stranger, ...ids.map((txId) => transferTo(address, header, { txId }))] };
}

const first = (): PlainBlock => ({ header: headerAt(1), transfers: [] });
const some = (): readonly PlainBlock[] => [paying(2, ['0xa', '0xb']), paying(3, []), paying(4, ['0xc'])];

async function books() {
  const tables = ['blocks', 'chain_cursors', 'transfers'];
  const rows = tables.map((table) =>
    database.reader.read<{ row: string }>(`SELECT ${table}::text AS row FROM ${table} ORDER BY 1`, []),
  );
  return Promise.all(rows);
}

describe('acceptPlainBlocks', () => {
  it('leaves the books that block by block leaves, and what was seen becomes final once', async () => {
    await acceptOne(first());
    expect(await acceptAll(some())).toEqual([2, 0, 1]);
    const atOnce = await books();
    expect((await readCursors(database.reader)).get('ETH')).toMatchObject({
      startNumber: 1,
      head: { number: 4, hash: 'a4' },
      finalNumber: null,
    });
    const tip = { number: 4, hash: 'a4' };
    const ancestor = { number: 1, hash: 'a1' };
    await database.transact((tx) =>
      undoBlocks(tx, { chain: 'ETH', tip, ancestor, nowMs: 5_000, lease: TEST_LEASE }),
    );
    for (const block of some()) expect(await acceptOne(block)).toMatchObject({ outcome: 'accepted' });
    expect(await books()).toEqual(atOnce);
    const settled = await acceptOne(paying(5, []), { number: 4, hash: 'a4' });
    expect(settled).toMatchObject({ settled: { transfers: 3 } });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  // hits mark: one-effect-one-transfer-at-once
  it.each<readonly [string, () => readonly PlainBlock[]]>([
    ['a block that does not follow', () => [...some().slice(0, 2), { ...paying(4, []), header: other(4) }]],
    ['a gap', () => [paying(2, []), paying(4, [])]],
    ['a block of another branch upon the tip', () => [{ header: other(2), transfers: [] }]],
    ['blocks that are known', () => [first(), ...some()]],
    ['a transfer twice in one block', () => [paying(2, ['0xa', '0xa'])]],
    ['a transfer in two of the blocks', () => [paying(2, ['0xa']), paying(3, ['0xa'])]],
    ['more movements than one transaction takes', () => [{ header: headerAt(2), transfers: crowd() }]],
  ])('writes nothing of blocks with %s', async (_, blocks) => {
    await acceptOne(first());
    const before = await books();
    expect(await acceptAll(blocks())).toBeNull();
    expect(await books()).toEqual(before);
  });

  it('writes nothing where a transfer stands in the books already', async () => {
    await acceptOne(first());
    await acceptOne(paying(2, ['0xa']));
    const before = await books();
    expect(await acceptAll([paying(3, []), paying(4, ['0xa'])])).toBeNull();
    expect(await books()).toEqual(before);
  });

  it('writes nothing before the first block, on a halted chain, or under a lease that another process has', async () => {
    expect(await acceptAll([first(), ...some()])).toBeNull();
    await acceptOne(first());
    const before = await books();
    expect(await acceptAll(some(), { ...TEST_LEASE, token: TEST_LEASE.token + 1 })).toBeNull();
    expect(await acceptAll(some(), { ...TEST_LEASE, holder: 'another' })).toBeNull();
    expect(await books()).toEqual(before);
    await database.transact((tx) =>
      haltChain(tx, { chain: 'ETH', reason: 'a test', nowMs: 1, lease: TEST_LEASE }),
    );
    const halted = await books();
    expect(await acceptAll(some())).toBeNull();
    expect(await books()).toEqual(halted);
  });
});

function other(number: number): BlockHeader {
  return { ...headerAt(number), hash: `b${number}`, parentHash: `b${number - 1}` };
}

function crowd(): readonly Transfer[] {
  const header = headerAt(2);
  return Array.from({ length: MOST_AT_ONCE + 1 }, (_, place) =>
    transferTo('0xstranger', header, { txId: `0x${place}` }),
  );
}
