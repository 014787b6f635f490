// The statements that docs/operate/halted-chain.md gives an operator lead a chain past a fork below its final height.
import { readFileSync } from 'node:fs';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
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

const page = readFileSync(new URL('../../../../../docs/operate/halted-chain.md', import.meta.url), 'utf8');
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});

afterEach(() => database.drop());

/** The block of the page with its variables filled in as psql does. */
async function setCursor(block: BlockHeader): Promise<void> {
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? [];
  const values: Readonly<Record<string, string | number>> = {
    chain: 'ETH',
    number: block.number,
    hash: block.hash,
    parent_hash: block.parentHash,
    time: block.time,
  };
  const filled = sql
    .replace(/^\\set .*\n/gm, '')
    .replace(/:'(\w+)'/g, (_, name: string) => `'${values[name]}'`)
    .replace(/:(\w+)\b/g, (_, name: string) => String(values[name]))
    .replace(/^(BEGIN|COMMIT);$/gm, '');
  expect(filled).not.toContain(':');
  await database.transact((tx) => tx.write(filled, []));
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

describe('the statements of halted-chain.md', () => {
  it('go on from the last common block where nothing was credited behind it, and miss nothing', async () => {
    const { address } = await insertTestOrder(database);
    for (const number of [1, 2, 3, 4]) await accept(headerAt(number), [], headerAt(number));
    await accept(headerAt(5), [address], null);
    await halt();
    await setCursor(headerAt(2));
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

  it('go on behind what was credited, keep the credit, and count a payment that comes again', async () => {
    const first = await insertTestOrder(database);
    const second = await insertTestOrder(database, { tradeNo: 'ord_2' });
    for (const number of [1, 2]) await accept(headerAt(number), [], headerAt(number));
    await accept(headerAt(3), [first.address], headerAt(3));
    await accept(headerAt(4), [], headerAt(4));
    await accept(headerAt(5), [second.address], null);
    await halt();
    await setCursor(onNew(4));
    await resume();
    expect((await readCursors(database.reader)).get('ETH')).toMatchObject({
      head: { number: 4, hash: 'b4' },
    });
    expect(await accept(onNew(5), [], onNew(5))).toMatchObject({ outcome: 'accepted' });
    expect(await accept(onNew(6), [second.address], onNew(6))).toMatchObject({ settled: { transfers: 1 } });
    expect(await auditBooks(database.reader)).toEqual([]);
    expect(await accept(onNew(7), [first.address], null)).toMatchObject({ outcome: 'repeats' });
    await halt();
    await setCursor(onNew(7));
    await resume();
    expect(await accept(onNew(8), [], onNew(8))).toMatchObject({ outcome: 'accepted' });
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});
