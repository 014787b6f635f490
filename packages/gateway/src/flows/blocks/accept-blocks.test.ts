// Blocks on a real database: what they book, what they tell, and what they refuse.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { readBalances } from '../../db/tables/ledger.ts';
import { findOrder } from '../../db/tables/orders.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  headerAt,
  insertApp,
  insertTestOrder,
  plainEncode,
  START_TIME,
  transferTo,
  USDT,
  TEST_LEASE,
} from '@ducat/testkit/fixtures';
import { type AcceptedBlock, acceptBlock } from './accept-block.ts';
import { undoBlocks } from './undo-blocks.ts';

let database: TestDatabase;
let events = 0;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});

afterEach(() => database.drop());

function accept(
  header: BlockHeader,
  transfers: readonly Transfer[] = [],
  final: { number: number; hash: string } | null = null,
): Promise<AcceptedBlock> {
  return database.transact((tx) =>
    acceptBlock(tx, {
      lease: TEST_LEASE,
      chain: eth,
      header,
      transfers,
      final,
      encode: plainEncode,
      newEventId: () => `evt_${++events}`,
      nowMs: header.time * 1000,
    }),
  );
}

async function told(): Promise<readonly { status: string; collected: string }[]> {
  const rows = await database.reader.read<{ body: string }>('SELECT body FROM events ORDER BY sequence', []);
  return rows.map(({ body }) => {
    const { status, collected } = JSON.parse(body) as { status: string; collected: string };
    return { status, collected };
  });
}

async function accountsOf(currencyId = USDT): Promise<Record<string, string>> {
  const rows = await database.reader.read<{ kind: string; balance: string }>(
    'SELECT kind, balance FROM accounts WHERE currency_id = $1 ORDER BY kind',
    [currencyId],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

describe('acceptBlock', () => {
  it('books nothing while a transfer is only seen, and everything once it is final', async () => {
    const order = await insertTestOrder(database);
    const paid = headerAt(1);
    await accept(paid, [transferTo(order.address, paid)]);
    expect(await accountsOf()).toEqual({});
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.newestBlock).toBe(1);

    await accept(headerAt(2), [], { number: 1, hash: 'a1' });
    expect(await accountsOf()).toEqual({ available: '9997000', custody: '-10000000', fee: '3000' });
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.status).toBe('PAID');
    expect(await told()).toEqual([{ status: 'PAID', collected: '10000000' }]);
    expect(await auditBooks(database.reader)).toEqual([]);
    expect((await readBalances(database.reader, 'app_1')).get(USDT)?.operable).toEqual(
      amountOf(USDT, 9_997_000n),
    );
  });

  it('pays five orders by one transaction, each effect for itself', async () => {
    const block = headerAt(1);
    const transfers: Transfer[] = [];
    for (let place = 0; place < 5; place++) {
      const order = await insertTestOrder(database, { tradeNo: `ord_${place}` });
      transfers.push(transferTo(order.address, block, { txId: '0xmulti', position: `log:${place}` }));
    }
    const accepted = await accept(block, transfers, { number: 1, hash: 'a1' });
    expect(accepted).toMatchObject({ seen: 5, settled: { transfers: 5, events: 5 } });
    expect((await told()).every(({ status }) => status === 'PAID')).toBe(true);
    expect(await accountsOf()).toMatchObject({ custody: '-50000000' });
  });

  it('keeps another token and an address without an order apart', async () => {
    const order = await insertTestOrder(database);
    const [free] = await database.reader.read<{ address: string }>(
      'SELECT address FROM addresses WHERE trade_no IS NULL LIMIT 1',
      [],
    );
    const block = headerAt(1);
    await accept(
      block,
      [
        transferTo(order.address, block, { txId: 't1', amount: amountOf(1002, 5n) }),
        transferTo(free?.address ?? '', block, { txId: 't2', units: 7n }),
        transferTo('0xsomebody', block, { txId: 't3', units: 9n }),
      ],
      { number: 1, hash: 'a1' },
    );
    expect(await accountsOf(1002)).toEqual({ custody: '-5', unassigned: '5' });
    expect(await accountsOf(USDT)).toEqual({ custody: '-7', unassigned: '7' });
    expect(await told()).toEqual([]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('counts a payment once when a fork moves it to another block and position in the block', async () => {
    const order = await insertTestOrder(database);
    const first = headerAt(1);
    await accept(first);
    const seen = headerAt(2);
    await accept(seen, [transferTo('0xelse', seen), transferTo(order.address, seen, { txId: 'pay' })]);
    await accept(headerAt(3));
    expect(await accept(headerAt(4, { branch: 'b' }))).toEqual({ outcome: 'fork' });

    const tip = { number: 3, hash: 'a3' };
    const undo = { chain: 'ETH', lease: TEST_LEASE, tip, ancestor: { number: 1, hash: 'a1' }, nowMs: 0 };
    expect(await database.transact((tx) => undoBlocks(tx, undo))).toEqual({
      outcome: 'undone',
      depth: 2,
      orphaned: 1,
    });
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.newestBlock).toBeNull();

    await accept(headerAt(2, { branch: 'b', parent: 'a' }));
    const again = headerAt(3, { branch: 'b' });
    await accept(again, [transferTo(order.address, again, { txId: 'pay' })]);
    await accept(headerAt(4, { branch: 'b' }), [], { number: 3, hash: 'b3' });
    expect(await told()).toEqual([{ status: 'PAID', collected: '10000000' }]);
    expect(await accountsOf()).toMatchObject({ custody: '-10000000' });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('never settles a transfer that a fork dropped', async () => {
    const order = await insertTestOrder(database);
    await accept(headerAt(1));
    const seen = headerAt(2);
    await accept(seen, [transferTo(order.address, seen)]);
    const undo = {
      chain: 'ETH',
      lease: TEST_LEASE,
      tip: { number: 2, hash: 'a2' },
      ancestor: { number: 1, hash: 'a1' },
      nowMs: 0,
    };
    await database.transact((tx) => undoBlocks(tx, undo));
    await accept(headerAt(2, { branch: 'b', parent: 'a' }), [], { number: 2, hash: 'b2' });
    expect(await told()).toEqual([]);
    expect(await accountsOf()).toEqual({});
  });

  // hits mark: final-hash-is-ours
  it('writes nothing for a gap, a duplicate, a fork or a final hash that is not ours', async () => {
    await accept(headerAt(1));
    expect(await accept(headerAt(3))).toEqual({ outcome: 'stale' });
    expect(await accept(headerAt(1))).toEqual({ outcome: 'stale' });
    expect(await accept(headerAt(2, { parent: 'x' }))).toEqual({ outcome: 'fork' });
    expect(await accept(headerAt(2), [], { number: 1, hash: 'x1' })).toEqual({ outcome: 'fork' });
    expect((await readCursors(database.reader)).get('ETH')?.head).toEqual({ number: 1, hash: 'a1' });
  });

  it('takes a block once when twenty watchers bring it at the same time', async () => {
    const order = await insertTestOrder(database);
    const block = headerAt(1);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        accept(block, [transferTo(order.address, block)], { number: 1, hash: 'a1' }),
      ),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(await accountsOf()).toMatchObject({ custody: '-10000000' });
    expect(await told()).toHaveLength(1);
  });

  // hits mark: nothing-final-is-undone
  it('halts instead of undoing what was final', async () => {
    await accept(headerAt(1), [], { number: 1, hash: 'a1' });
    await accept(headerAt(2), [], { number: 2, hash: 'a2' });
    const undo = {
      chain: 'ETH',
      lease: TEST_LEASE,
      tip: { number: 2, hash: 'a2' },
      ancestor: { number: 1, hash: 'a1' },
      nowMs: 0,
    };
    expect(await database.transact((tx) => undoBlocks(tx, undo))).toMatchObject({ outcome: 'halted' });
    expect(await accept(headerAt(3))).toMatchObject({ outcome: 'halted' });
  });

  // hits mark: one-effect-one-transfer
  it('refuses a transaction that an earlier block of the same chain already holds', async () => {
    const order = await insertTestOrder(database);
    const block = headerAt(1);
    await accept(block, [transferTo(order.address, block, { txId: 'pay' })]);
    const next = headerAt(2);
    expect(await accept(next, [transferTo(order.address, next, { txId: 'pay' })])).toMatchObject({
      outcome: 'repeats',
      transfer: { txId: 'pay', inBlock: 1 },
    });
    const twice = transferTo(order.address, next, { txId: 'twice' });
    expect(await accept(next, [twice, twice])).toMatchObject({
      outcome: 'repeats',
      transfer: { txId: 'twice', inBlock: null },
    });
    expect((await readCursors(database.reader)).get('ETH')?.head?.number).toBe(1);
  });

  it('begins again at its first block when a fork takes the whole window before anything was final', async () => {
    const order = await insertTestOrder(database);
    const first = headerAt(5);
    await accept(first, [transferTo(order.address, first, { txId: 'pay' })]);
    const undo = {
      chain: 'ETH',
      lease: TEST_LEASE,
      tip: { number: 5, hash: 'a5' },
      ancestor: null,
      nowMs: 0,
    };
    expect(await database.transact((tx) => undoBlocks(tx, undo))).toEqual({
      outcome: 'undone',
      depth: 1,
      orphaned: 1,
    });
    expect((await readCursors(database.reader)).get('ETH')).toMatchObject({ head: null, startNumber: 5 });
    const again = headerAt(5, { branch: 'b' });
    await accept(again, [transferTo(order.address, again, { txId: 'pay' })], { number: 5, hash: 'b5' });
    expect(await told()).toEqual([{ status: 'PAID', collected: '10000000' }]);
  });

  it('adds up many of the largest amounts', async () => {
    const order = await insertTestOrder(database);
    const block = headerAt(1);
    const units = 2n ** 256n - 1n;
    const transfers = Array.from({ length: 12 }, (_, place) =>
      transferTo(order.address, block, { txId: `t${place}`, units }),
    );
    await accept(block, transfers, { number: 1, hash: 'a1' });
    expect(await accountsOf()).toMatchObject({ custody: (-12n * units).toString() });
  });

  it('takes amounts up to the largest that a chain can count', async () => {
    const order = await insertTestOrder(database);
    const block = headerAt(1, { time: START_TIME + 5 });
    const units = 2n ** 256n - 1n;
    await accept(block, [transferTo(order.address, block, { units })], { number: 1, hash: 'a1' });
    expect(await accountsOf()).toMatchObject({ custody: (-units).toString() });
    expect(await told()).toEqual([{ status: 'PAID', collected: units.toString() }]);
  });
});
