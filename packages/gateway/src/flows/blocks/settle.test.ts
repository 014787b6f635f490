// Final blocks on a real database: what they book, and what merchants are sent.
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { readBalances } from '../../db/tables/books/ledger.ts';
import { findOrder } from '../../db/tables/orders/orders.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  type BookedOutcome,
  headerAt,
  insertApp,
  insertTestOrder,
  START_TIME,
  transferTo,
  USDT,
  TEST_LEASE,
} from '@ducat/testkit/fixtures';
import { undoBlocks } from './undo-blocks.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});

afterEach(() => database.drop());

function accept(
  header: BlockHeader,
  transfers: readonly Transfer[] = [],
  final: { number: number; hash: string } | null = null,
): Promise<BookedOutcome> {
  return bookBlock(database, { header, transfers, final });
}

function undo(tip: KnownBlock, ancestor: KnownBlock | null) {
  return database.transact((tx) =>
    undoBlocks(tx, { chain: 'ETH', lease: TEST_LEASE, tip, ancestor, nowMs: 0 }),
  );
}

async function announced(): Promise<readonly { status: string; collected: string }[]> {
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

describe('blocks that become final', () => {
  it('books nothing while a transfer is only seen, and everything once it is final', async () => {
    const order = await insertTestOrder(database);
    const paid = headerAt(1);
    await accept(paid, [transferTo(order.address, paid)]);
    expect(await accountsOf()).toEqual({});
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.newestBlock).toBe(1);

    await accept(headerAt(2), [], { number: 1, hash: 'a1' });
    expect(await accountsOf()).toEqual({ available: '9997000', custody: '-10000000', fee: '3000' });
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.status).toBe('PAID');
    expect(await announced()).toEqual([{ status: 'PAID', collected: '10000000' }]);
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
    expect((await announced()).every(({ status }) => status === 'PAID')).toBe(true);
    expect(await accountsOf()).toMatchObject({ custody: '-50000000' });
  });

  it('settles in the order of the chain, by block and place in it, whatever the transactions are called', async () => {
    const order = await insertTestOrder(database);
    const [first, second] = [headerAt(1), headerAt(2)];
    const part = (txId: string, block: BlockHeader, units: bigint) =>
      transferTo(order.address, block, { txId, units });
    await accept(first, [part('z', first, 4_000_000n), part('y', first, 6_000_000n)]);
    await accept(second, [part('b', second, 2_000_000n), part('a', second, 1_000_000n)], second);
    expect(await announced()).toMatchObject([
      { status: 'TO-BE-PAID', collected: '4000000' },
      { status: 'PAID', collected: '10000000' },
    ]);
    const rows = await database.reader.read<{ reference: string }>(
      'SELECT reference FROM entries ORDER BY entry_id',
      [],
    );
    expect(rows.map(({ reference }) => reference.split('/')[1])).toEqual(['z', 'y', 'b', 'a']);
    expect(await states()).toMatchObject([
      { tx_id: 'a', disposition: 'extra' },
      { tx_id: 'b', disposition: 'extra' },
      { tx_id: 'y', disposition: 'payment' },
      { tx_id: 'z', disposition: 'payment' },
    ]);
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
    expect(await announced()).toEqual([]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('counts a payment once when a fork moves it to another block and position in the block', async () => {
    const order = await insertTestOrder(database);
    const first = headerAt(1);
    await accept(first);
    const seen = headerAt(2);
    await accept(seen, [transferTo('0xelse', seen), transferTo(order.address, seen, { txId: 'pay' })]);
    await accept(headerAt(3));
    expect(await accept(headerAt(4, { branch: 'b' }))).toMatchObject({
      outcome: 'fork',
      foreign: { number: 3, hash: 'b3' },
    });

    expect(await undo({ number: 3, hash: 'a3' }, { number: 1, hash: 'a1' })).toEqual({
      outcome: 'undone',
      depth: 2,
      orphaned: 1,
    });
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.newestBlock).toBeNull();

    await accept(headerAt(2, { branch: 'b', parent: 'a' }));
    const again = headerAt(3, { branch: 'b' });
    await accept(again, [transferTo(order.address, again, { txId: 'pay' })]);
    await accept(headerAt(4, { branch: 'b' }), [], { number: 3, hash: 'b3' });
    expect(await announced()).toEqual([{ status: 'PAID', collected: '10000000' }]);
    expect(await accountsOf()).toMatchObject({ custody: '-10000000' });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('never settles a transfer that a fork dropped', async () => {
    const order = await insertTestOrder(database);
    await accept(headerAt(1));
    const seen = headerAt(2);
    await accept(seen, [transferTo(order.address, seen)]);
    const undone = () => undo({ number: 2, hash: 'a2' }, { number: 1, hash: 'a1' });
    await undone();
    await accept(headerAt(2, { branch: 'b', parent: 'a' }), [], { number: 2, hash: 'b2' });
    expect(await announced()).toEqual([]);
    expect(await accountsOf()).toEqual({});
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
    expect(await announced()).toHaveLength(1);
  });

  // hits mark: nothing-final-is-undone
  it('halts instead of undoing what was final', async () => {
    await accept(headerAt(1), [], { number: 1, hash: 'a1' });
    await accept(headerAt(2), [], { number: 2, hash: 'a2' });
    const undone = () => undo({ number: 2, hash: 'a2' }, { number: 1, hash: 'a1' });
    expect(await undone()).toMatchObject({ outcome: 'halted' });
    expect(await accept(headerAt(3))).toMatchObject({ outcome: 'halted' });
  });

  it('begins again at its first block when a fork takes the whole window before anything was final', async () => {
    const order = await insertTestOrder(database);
    const first = headerAt(5);
    await accept(first, [transferTo(order.address, first, { txId: 'pay' })]);
    const undone = () => undo({ number: 5, hash: 'a5' }, null);
    expect(await undone()).toEqual({
      outcome: 'undone',
      depth: 1,
      orphaned: 1,
    });
    expect((await readCursors(database.reader)).get('ETH')).toMatchObject({ head: null, startNumber: 5 });
    const again = headerAt(5, { branch: 'b' });
    await accept(again, [transferTo(order.address, again, { txId: 'pay' })], { number: 5, hash: 'b5' });
    expect(await announced()).toEqual([{ status: 'PAID', collected: '10000000' }]);
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

  it('books the largest amount that a chain can count, pays nothing with it, and suspends the currency', async () => {
    const order = await insertTestOrder(database);
    const block = headerAt(1, { time: START_TIME + 5 });
    const units = 2n ** 256n - 1n;
    expect(
      await accept(block, [transferTo(order.address, block, { units })], { number: 1, hash: 'a1' }),
    ).toMatchObject({ settled: { absurd: [{ currencyId: USDT, units: units.toString() }] } });
    expect(await accountsOf()).toEqual({ custody: (-units).toString(), unassigned: units.toString() });
    expect(await announced()).toEqual([]);
    const rows = await database.reader.read('SELECT currency_id, since_ms FROM currency_suspensions', []);
    expect(rows).toEqual([{ currency_id: USDT, since_ms: (START_TIME + 5) * 1000 }]);
  });

  it('counts the parts of one transaction together', async () => {
    const order = await insertTestOrder(database);
    const block = headerAt(1);
    const parts = [6_000_000n, 5_000_000n].map((units, place) =>
      transferTo(order.address, block, { txId: 'both', position: `log:${place}`, units }),
    );
    await accept(block, parts, block);
    expect(await announced()).toEqual([{ status: 'PAID', collected: '11000000' }]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});

async function states() {
  return database.reader.read(
    'SELECT tx_id, state, disposition, trade_no, app_id FROM transfers ORDER BY tx_id',
    [],
  );
}

describe('transfers from our addresses', () => {
  it('are booked where they went to a stranger, and neither paid nor lost where they went to us', async () => {
    const one = await insertTestOrder(database);
    const two = await insertTestOrder(database, { tradeNo: 'ord_2' });
    const wallet = '0xwallet';
    await database.transact((tx) =>
      tx.write(
        `INSERT INTO addresses (purpose, family, derivation_index, address) VALUES ('wallet', 'evm', 0, $1)`,
        [wallet],
      ),
    );
    const block = headerAt(1);
    const send = (from: string, to: string, txId: string) =>
      transferTo(to, block, { from, txId, units: 3_000_000n });
    const sent = [
      transferTo(one.address, block, { txId: 'paid' }),
      send(one.address, '0xstranger', 'stolen'),
      send(one.address, wallet, 'swept'),
      send(wallet, two.address, 'own'),
      send(one.address, two.address, 'between'),
      transferTo(wallet, block, { txId: 'funded', units: 9n }),
    ];
    const booked = await accept(block, sent, block);
    expect(booked).toMatchObject({
      seen: 6,
      settled: {
        transfers: 6,
        events: 1,
        outflows: [{ txId: 'stolen', units: '3000000', to: '0xstranger' }],
        unassigned: [{ txId: 'funded' }],
      },
    });
    expect(await states()).toMatchObject([
      { tx_id: 'between', disposition: 'own', trade_no: null },
      { tx_id: 'funded', disposition: 'unassigned', app_id: null },
      { tx_id: 'own', disposition: 'own', trade_no: null },
      { tx_id: 'paid', disposition: 'payment', trade_no: 'ord_1' },
      { tx_id: 'stolen', disposition: 'outgoing', app_id: null },
      { tx_id: 'swept', disposition: 'own' },
    ]);
    const rows = await database.reader.read(
      `SELECT kind, owner, balance FROM accounts WHERE kind IN ('custody', 'suspense', 'unassigned') ORDER BY 1, 2`,
      [],
    );
    expect(rows).toEqual([
      { kind: 'custody', owner: 'ETH', balance: '-7000000' },
      { kind: 'custody', owner: 'ETH/0xwallet', balance: '-9' },
      { kind: 'suspense', owner: 'ETH', balance: '-3000000' },
      { kind: 'unassigned', owner: 'gateway', balance: '9' },
    ]);
    expect(await announced()).toHaveLength(1);
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});
