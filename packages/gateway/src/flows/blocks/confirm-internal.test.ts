// What balances show and no block does is booked once, in time, or as a receipt for a person to assign.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { type Amount, amountOf, zero } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainWriting,
  START_TIME,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { readExpectedBalances } from '../../db/tables/books/expected-balances.ts';
import { findOrder, type OrderDetail } from '../../db/tables/orders/orders.ts';
import { readProposals, readSearchAddresses } from '../../db/tables/transfers/proposals.ts';
import { type ConfirmInternal, confirmInternal, type Gain } from './confirm-internal.ts';

const ETH = 1000;
const EXPIRY = START_TIME + 1800;
const wei = (units: bigint): Amount => amountOf(ETH, units);
let database: TestDatabase;
let order: OrderDetail;
let addressId: number;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  const terms = { due: wei(1_000n), collected: zero(ETH), timeExpire: EXPIRY };
  order = await insertTestOrder(database, { currencyId: ETH, terms });
  addressId = await rowOf(order.address);
});
afterEach(() => database.drop());

async function rowOf(address: string): Promise<number> {
  const [row] = await database.reader.read<{ id: number }>(
    'SELECT address_id AS id FROM addresses WHERE address = $1',
    [address],
  );
  return row?.id ?? 0;
}

function internal(header: BlockHeader, units: bigint, txId: string): Transfer {
  return transferTo(order.address, header, {
    txId,
    position: 'call:0',
    from: '0xcontract',
    amount: wei(units),
  });
}

/** Confirms gains of the order's address that were found at a final block, where the books knew of `expected`. */
function confirm(
  at: BlockHeader,
  gains: readonly Gain[],
  change: Partial<ConfirmInternal> = {},
  expected = 0n,
) {
  const findings =
    gains.length === 0
      ? []
      : [{ addressId, address: order.address, at: at.number, expected: wei(expected), gains }];
  const input: ConfirmInternal = {
    chain: eth,
    ...plainWriting,
    nowMs: 0,
    checked: { addressIds: [addressId], upTo: at.number },
    findings,
    dust: wei(9n),
    searched: at,
    lease: TEST_LEASE,
    ...change,
  };
  return database.transact((tx) => confirmInternal(tx, input));
}

async function rows() {
  return database.reader.read(
    'SELECT tx_id, position, state, disposition, trade_no, units FROM transfers ORDER BY tx_id',
    [],
  );
}

const status = async () => (await findOrder(database.reader, 'app_1', 'ord_1'))?.status;

async function final(
  number: number,
  proposals: readonly Transfer[] = [],
  time?: number,
): Promise<BlockHeader> {
  const header = headerAt(number, time === undefined ? {} : { time });
  await bookBlock(database, { header, proposals, final: header });
  return header;
}

describe('confirmInternal', () => {
  it('settles what a balance confirms with its transaction, and dismisses what it does not', async () => {
    const header = headerAt(1);
    const real = internal(header, 1_000n, '0xreal');
    await bookBlock(database, {
      header,
      proposals: [real, internal(header, 77n, '0xforged')],
      final: header,
    });
    const candidates = (await readProposals(database.reader, 'ETH', [addressId], 1)).get(addressId) ?? [];
    expect(candidates.map(({ txId }) => txId)).toEqual(['0xreal', '0xforged']);
    expect(await confirm(header, [{ block: header, amount: wei(1_000n), candidates }])).toMatchObject({
      outcome: 'confirmed',
      explained: 1,
      unexplained: 0,
      dismissed: 1,
      settled: { transfers: 1, events: 1 },
    });
    expect(await rows()).toMatchObject([
      { tx_id: '0xforged', state: 'orphaned' },
      { tx_id: '0xreal', state: 'final', disposition: 'payment', trade_no: 'ord_1' },
    ]);
    expect(await status()).toBe('PAID');
    expect((await readCursors(database.reader)).get('ETH')).toMatchObject({
      searchedNumber: 1,
      searchedTime: header.time,
    });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  // docs/integrate/webhooks.md says so under "Act once".
  it('sends two events with one txid where a transaction pays one order directly and inside of it', async () => {
    const header = headerAt(1);
    const direct = transferTo(order.address, header, { txId: '0xone', position: 'value', amount: wei(400n) });
    await bookBlock(database, { header, transfers: [direct], final: header });
    const candidates = [internal(header, 600n, '0xone')];
    await confirm(header, [{ block: header, amount: wei(600n), candidates }], {}, 400n);
    const events = await database.reader.read<{ body: string }>(
      'SELECT body FROM events ORDER BY sequence',
      [],
    );
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      { status: 'TO-BE-PAID', collected: '400', txId: '0xone' },
      { status: 'PAID', collected: '1000', txId: '0xone' },
    ]);
  });

  it('takes what a trace found without a proposal', async () => {
    const header = await final(1);
    const candidates = [internal(header, 400n, '0xtraced')];
    await confirm(header, [{ block: header, amount: wei(400n), candidates }]);
    expect(await rows()).toMatchObject([{ tx_id: '0xtraced', disposition: 'payment' }]);
  });

  it('books what nothing explains as one receipt of its block that pays no order, and no dust', async () => {
    const [one, two] = [await final(1), await final(2)];
    const candidates = [internal(one, 600n, '0xa')];
    const gains = [
      { block: one, amount: wei(1_000n), candidates },
      { block: two, amount: wei(9n), candidates: [] },
    ];
    expect(await confirm(two, gains)).toMatchObject({
      explained: 1,
      unexplained: 1,
      settled: { unassigned: [{ txId: 'balance:a1', units: '400' }] },
    });
    expect(await rows()).toMatchObject([
      { tx_id: '0xa', disposition: 'payment', trade_no: 'ord_1' },
      { tx_id: 'balance:a1', position: order.address, disposition: 'unassigned', trade_no: null },
    ]);
    expect(await status()).toBe('TO-BE-PAID');
    const expected = await readExpectedBalances(database.reader, {
      chain: 'ETH',
      addressIds: [addressId],
      atBlock: 2,
    });
    expect(expected.get(addressId)?.get(ETH)).toEqual(wei(1_000n));
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  // hits mark: no-gain-is-booked-twice
  it('writes nothing where the books have moved on since, be it by the same gain', async () => {
    const header = await final(1);
    const gains = [{ block: header, amount: wei(400n), candidates: [] }];
    expect(await confirm(header, gains)).toMatchObject({ outcome: 'confirmed' });
    const next = await final(2);
    const again = [{ block: next, amount: wei(400n), candidates: [] }];
    expect(await confirm(next, again)).toEqual({ outcome: 'stale' });
    expect(await confirm(next, again, {}, 400n)).toMatchObject({ outcome: 'confirmed', unexplained: 1 });
    expect(await rows()).toHaveLength(2);
  });

  it('writes nothing above the final block, for a transfer twice, or without the lease', async () => {
    const header = await final(1);
    const higher = headerAt(2);
    await bookBlock(database, { header: higher });
    const twice = internal(header, 5n, '0xa');
    const gain = (block: BlockHeader, candidates: readonly Transfer[]) => [
      { block, amount: wei(400n), candidates },
    ];
    expect(await confirm(higher, [])).toEqual({ outcome: 'stale' });
    expect(await confirm(header, gain(header, [internal(higher, 5n, '0xa')]))).toEqual({ outcome: 'stale' });
    expect(await confirm(header, gain(header, [twice, twice]))).toEqual({ outcome: 'stale' });
    const lease = { ...TEST_LEASE, token: 2 };
    expect(await confirm(header, gain(header, []), { lease })).toEqual({ outcome: 'lease-lost' });
    expect(await rows()).toEqual([]);
    expect((await readCursors(database.reader)).get('ETH')?.searchedNumber).toBeNull();
  });

  it('leaves proposals above what was checked, and those to addresses that were not', async () => {
    const header = await final(1, [internal(headerAt(1), 5n, '0xa')]);
    const next = headerAt(2);
    await bookBlock(database, { header: next, proposals: [internal(next, 5n, '0xb')], final: next });
    const nobody = { checked: { addressIds: [addressId + 1], upTo: 2 }, searched: null };
    expect(await confirm(next, [], nobody)).toMatchObject({ dismissed: 0 });
    expect(await confirm(header, [])).toMatchObject({ dismissed: 1 });
    expect(await rows()).toMatchObject([{ state: 'orphaned' }, { tx_id: '0xb', state: 'proposed' }]);
  });

  it('counts a payment in time that is found after a late one, which waited for the search', async () => {
    const header = await final(1, [], EXPIRY);
    const late = headerAt(2, { time: EXPIRY + 1 });
    const payment = transferTo(order.address, late, { txId: '0xlate', position: 'value', amount: wei(50n) });
    expect(await bookBlock(database, { header: late, transfers: [payment], final: late })).toMatchObject({
      settled: { transfers: 0 },
    });
    const candidates = [internal(header, 1_000n, '0xin-time')];
    expect(await confirm(late, [{ block: header, amount: wei(1_000n), candidates }], {}, 50n)).toMatchObject({
      explained: 1,
      settled: { transfers: 2, events: 1 },
    });
    expect(await rows()).toMatchObject([
      { tx_id: '0xin-time', disposition: 'payment' },
      { tx_id: '0xlate', disposition: 'extra' },
    ]);
    expect(await status()).toBe('PAID');
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});

describe('addresses that are searched', () => {
  it('are those of orders in the native currency, of static codes, and of what was proposed', async () => {
    const token = await insertTestOrder(database, { tradeNo: 'ord_2' });
    await insertTestOrder(database, { tradeNo: 'ord_3' });
    const terms = (timeExpire: number) => ({ due: wei(5n), collected: zero(ETH), timeExpire });
    const old = await insertTestOrder(database, {
      tradeNo: 'ord_4',
      currencyId: ETH,
      terms: terms(START_TIME),
    });
    const ended = await insertTestOrder(database, {
      tradeNo: 'ord_5',
      currencyId: ETH,
      terms: terms(START_TIME + 1),
    });
    await database.transact(async (tx) => {
      await tx.write(`UPDATE orders SET status = 'TIME-OUT' WHERE trade_no IN ('ord_4', 'ord_5')`, []);
      await tx.write(
        `INSERT INTO addresses (app_id, purpose, family, derivation_index, address)
        VALUES ('app_1', 'static', 'evm', 999, '0xstatic'), ('app_1', 'static', 'tron', 999, 'Tstatic')`,
        [],
      );
    });
    const header = headerAt(1);
    const proposal = { ...internal(header, 5n, '0xa'), to: token.address };
    await bookBlock(database, { header, proposals: [proposal] });
    const page = (after: number, limit: number) =>
      readSearchAddresses(database.reader, { chain: eth, expiredSince: START_TIME + 1, after, limit });
    const all = await page(0, 10);
    expect(all.map(({ address }) => address)).toEqual([
      order.address,
      token.address,
      ended.address,
      '0xstatic',
    ]);
    expect([...(await page(0, 3)), ...(await page(all[2]?.addressId ?? 0, 3))]).toEqual(all);
    await database.transact((tx) =>
      tx.write(`UPDATE orders SET status = 'TO-BE-PAID' WHERE trade_no = 'ord_4'`, []),
    );
    expect((await page(0, 10)).map(({ address }) => address)).toContain(old.address);
  });
});
