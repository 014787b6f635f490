// Blocks on a real database: how they enter the books, and what is refused.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { readCursors } from '../../db/tables/cursors.ts';
import { findOrder } from '../../db/tables/orders/orders.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  transferTo,
  TEST_LEASE,
} from '@ducat/testkit/fixtures';
import { acceptBlocks, type ReadBlock } from './accept-blocks.ts';
import { haltChain } from './halt-chain.ts';
import { undoBlocks } from './undo-blocks.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});

afterEach(() => database.drop());

/** Accepts blocks of ETH together, all of them proven unless they say otherwise. */
function acceptAll(
  blocks: readonly (Partial<ReadBlock> & { readonly header: BlockHeader })[],
  lease = TEST_LEASE,
) {
  const read = blocks.map((block) => ({
    transfers: [],
    proposals: [],
    inclusions: [],
    isProven: true,
    ...block,
  }));
  return database.transact((tx) => acceptBlocks(tx, { chain: eth, blocks: read, nowMs: 5_000, lease }));
}

function undo(tip: KnownBlock, ancestor: KnownBlock | null) {
  return database.transact((tx) =>
    undoBlocks(tx, { chain: 'ETH', lease: TEST_LEASE, tip, ancestor, nowMs: 0 }),
  );
}

const first = () => ({ header: headerAt(1) });

/** A block with payments to the order of these tests, and a stranger's transfer before them. */
function paying(number: number, address: string, ids: readonly string[]) {
  const header = headerAt(number);
  const stranger = transferTo('0xstranger', header, { txId: `0xother${number}` });
  return { header, transfers: [stranger, ...ids.map((txId) => transferTo(address, header, { txId }))] };
}

async function books() {
  const tables = ['blocks', 'chain_cursors', 'transfers'];
  const rows = tables.map((table) =>
    database.reader.read<{ row: string }>(`SELECT ${table}::text AS row FROM ${table} ORDER BY 1`, []),
  );
  return Promise.all(rows);
}

describe('acceptBlocks', () => {
  it('leaves the books that block by block leaves', async () => {
    const { address } = await insertTestOrder(database);
    const some = [paying(2, address, ['0xa', '0xb']), paying(3, address, []), paying(4, address, ['0xc'])];
    await acceptAll([first()]);
    expect(await acceptAll(some)).toEqual({ outcome: 'accepted', seen: 3 });
    const atOnce = await books();
    await undo({ number: 4, hash: 'a4' }, { number: 1, hash: 'a1' });
    for (const block of some) expect(await acceptAll([block])).toMatchObject({ outcome: 'accepted' });
    expect(await books()).toEqual(atOnce);
  });

  // hits mark: one-effect-one-transfer
  it.each<readonly [string, (address: string) => Parameters<typeof acceptAll>[0], object]>([
    ['a gap', (to) => [paying(2, to, []), paying(4, to, [])], { outcome: 'stale' }],
    ['blocks that are known', (to) => [first(), paying(2, to, [])], { outcome: 'stale' }],
    ['no blocks', () => [], { outcome: 'stale' }],
    [
      'a block of another branch upon the tip',
      () => [{ header: headerAt(2, { branch: 'b' }) }],
      { outcome: 'fork', taken: 0, seen: 0, foreign: { number: 1, hash: 'b1' } },
    ],
    [
      'another block beside the tip',
      () => [{ header: headerAt(1, { branch: 'b', parent: 'a' }) }],
      { outcome: 'fork', taken: 0, seen: 0, foreign: { number: 1, hash: 'b1' } },
    ],
    [
      'a transfer twice in one block',
      (to) => [paying(2, to, []), paying(3, to, ['0xa', '0xa'])],
      { outcome: 'repeats', block: { number: 3 }, transfer: { txId: '0xa', inBlock: null } },
    ],
    [
      'a transfer in two of the blocks',
      (to) => [paying(2, to, ['0xa']), paying(3, to, ['0xa'])],
      { outcome: 'repeats', block: { number: 3 }, transfer: { txId: '0xa', inBlock: null } },
    ],
    [
      'a transfer that stands in the books',
      (to) => [paying(2, to, ['0xknown'])],
      { outcome: 'repeats', block: { number: 2 }, transfer: { txId: '0xknown', inBlock: 1 } },
    ],
  ])('writes nothing of %s', async (_, blocks, expected) => {
    const { address } = await insertTestOrder(database);
    await acceptAll([paying(1, address, ['0xknown'])]);
    const before = await books();
    expect(await acceptAll(blocks(address))).toMatchObject(expected);
    expect(await books()).toEqual(before);
  });

  it('takes what stands below a fork', async () => {
    const { address } = await insertTestOrder(database);
    await acceptAll([first()]);
    const other = { ...paying(4, address, ['0xb']), header: headerAt(4, { branch: 'b' }) };
    expect(await acceptAll([paying(2, address, ['0xa']), paying(3, address, []), other])).toEqual({
      outcome: 'fork',
      taken: 2,
      seen: 1,
      foreign: { number: 3, hash: 'b3' },
    });
    expect((await readCursors(database.reader)).get('ETH')?.head).toEqual({ number: 3, hash: 'a3' });
  });

  it('writes nothing on a halted chain, or under a lease that another process has', async () => {
    await acceptAll([first()]);
    const before = await books();
    const lost = { outcome: 'lease-lost' };
    expect(await acceptAll([{ header: headerAt(2) }], { ...TEST_LEASE, token: 2 })).toEqual(lost);
    expect(await acceptAll([{ header: headerAt(2) }], { ...TEST_LEASE, holder: 'another' })).toEqual(lost);
    expect(await books()).toEqual(before);
    const halt = { chain: 'ETH', reason: 'a test', nowMs: 1, lease: TEST_LEASE };
    await database.transact((tx) => haltChain(tx, halt));
    expect(await acceptAll([{ header: headerAt(2) }])).toEqual({ outcome: 'halted', reason: 'a test' });
  });
});

async function states() {
  return database.reader.read(
    'SELECT tx_id, state, disposition, trade_no, app_id FROM transfers ORDER BY tx_id',
    [],
  );
}

describe('proposed transfers', () => {
  const proposed = (header: BlockHeader, to: string, txId: string) =>
    transferTo(to, header, { txId, position: 'call:0', amount: amountOf(1000, 5n) });

  it('never settle by themselves, show no confirmation, and go with their block', async () => {
    const { address } = await insertTestOrder(database, { currencyId: 1000 });
    const header = headerAt(1);
    const proposals = [proposed(header, address, '0xa'), proposed(header, '0xstranger', '0xb')];
    expect(await bookBlock(database, { header, proposals, final: header })).toMatchObject({
      seen: 0,
      settled: { transfers: 0 },
    });
    expect(await states()).toMatchObject([{ tx_id: '0xa', state: 'proposed' }]);
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.newestBlock).toBeNull();
    const next = headerAt(2);
    await bookBlock(database, { header: next, proposals: [proposed(next, address, '0xc')] });
    expect(await undo(next, header)).toMatchObject({ outcome: 'undone', orphaned: 0 });
    expect(await states()).toMatchObject([{ state: 'proposed' }, { tx_id: '0xc', state: 'orphaned' }]);
  });

  it('give way to what a block shows, and stand in the way of nothing', async () => {
    const { address } = await insertTestOrder(database, { currencyId: 1000 });
    const header = headerAt(1);
    const same = proposed(header, address, '0xa');
    await bookBlock(database, { header, proposals: [same, same, proposed(header, address, '0xb')] });
    const next = headerAt(2);
    const shown = { ...same, amount: amountOf(1000, 7n), block: next };
    await bookBlock(database, {
      header: next,
      transfers: [shown],
      proposals: [{ ...shown, amount: amountOf(1000, 9n) }],
    });
    const rows = await database.reader.read(
      'SELECT tx_id, state, units, block_number FROM transfers ORDER BY 1',
      [],
    );
    expect(rows).toEqual([
      { tx_id: '0xa', state: 'seen', units: '7', block_number: 2 },
      { tx_id: '0xb', state: 'proposed', units: '5', block_number: 1 },
    ]);
  });
});
