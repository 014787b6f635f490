// What a quorum reports of blocks that do not prove themselves, beside what the books hold of them.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { readUnproven } from '../../db/tables/blocks.ts';
import { compareBlocks } from './compare-blocks.ts';

let database: TestDatabase;
let address: string;
const [one, two] = [headerAt(1), headerAt(2)];

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  ({ address } = await insertTestOrder(database));
  await bookBlock(database, { header: one, transfers: transfersOf(one), isProven: false });
  await bookBlock(database, { header: two, isProven: false });
});
afterEach(() => database.drop());

/** To us and from us; a stranger's stands beside them and does not matter. */
function transfersOf(header: BlockHeader): readonly Transfer[] {
  return [
    transferTo(address, header, { txId: 'in' }),
    transferTo('0xstranger', header, { txId: 'out', from: address }),
  ];
}

function compare(
  blocks: readonly { readonly header: BlockHeader; readonly transfers: readonly Transfer[] }[],
) {
  const reported = blocks.map((block) => ({ inclusions: [], ...block }));
  return database.transact((tx) =>
    compareBlocks(tx, { chain: eth, blocks: reported, nowMs: 0, lease: TEST_LEASE }),
  );
}

const unproven = async () =>
  (await readUnproven(database.reader, 'ETH', 0, 9, 9)).map(({ number }) => number);

describe('compareBlocks', () => {
  it('proves the blocks that agree, in any order and whatever strangers do in them', async () => {
    expect(await unproven()).toEqual([1, 2]);
    const transfers = [transferTo('0xstranger', one, { txId: 'else' }), ...transfersOf(one).toReversed()];
    expect(
      await compare([
        { header: one, transfers },
        { header: two, transfers: [] },
      ]),
    ).toEqual({
      outcome: 'compared',
      differing: [],
    });
    expect(await unproven()).toEqual([]);
  });

  it.each<readonly [string, (all: readonly Transfer[]) => readonly Transfer[]]>([
    ['one is missing', (all) => all.slice(1)],
    ['one is more', (all) => [...all, transferTo(address, one, { txId: 'more' })]],
    ['one is larger', ([first, ...rest]) => [{ ...first, amount: amountOf(1001, 1n) } as Transfer, ...rest]],
    ['one is of another sender', ([first, ...rest]) => [{ ...first, from: '0xother' } as Transfer, ...rest]],
    [
      'one is of another transaction',
      ([first, ...rest]) => [{ ...first, txId: '0xother' } as Transfer, ...rest],
    ],
  ])('names the block where %s, and proves the others', async (_, change) => {
    const blocks = [
      { header: one, transfers: change(transfersOf(one)) },
      { header: two, transfers: [] },
    ];
    expect(await compare(blocks)).toEqual({ outcome: 'compared', differing: [1] });
    expect(await unproven()).toEqual([1]);
  });

  it('proves no other block of that height', async () => {
    const other = headerAt(2, { branch: 'b' });
    expect(await compare([{ header: other, transfers: [] }])).toEqual({ outcome: 'stale' });
    expect(await unproven()).toEqual([1, 2]);
  });
});
