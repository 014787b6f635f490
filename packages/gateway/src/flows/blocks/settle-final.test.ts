// More is final at once than one transaction settles: it is done in parts that never show half a block.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import type { SqlValue, Tx } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  headerAt,
  insertApp,
  insertTestOrder,
  plainWriting,
  START_TIME,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import { acceptBlocks } from './accept-blocks.ts';
import { compareBlocks } from './compare-blocks.ts';
import { SETTLED_AT_ONCE } from './settle.ts';
import { settleFinal } from './settle-final.ts';

/** Two of them are more than one transaction settles. */
const MANY = 1 + SETTLED_AT_ONCE / 2;
const timeout = 60_000;

let database: TestDatabase;
let mostRows = 0;
let addresses: readonly string[];

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  const orders = [];
  for (let place = 0; place < 3; place++)
    orders.push(await insertTestOrder(database, { tradeNo: `ord_${place}` }));
  addresses = orders.map(({ address }) => address);
  mostRows = 0;
});
afterEach(() => database.drop());

const common = () => ({
  chain: eth,
  lease: TEST_LEASE,
  ...plainWriting,
  nowMs: 0,
});

/** Notes the most rows that any statement brings: what they take to be dealt with is a pause for the database. */
function counting(tx: Tx): Tx {
  const read = async <Row>(sql: string, values: readonly SqlValue[]) => {
    const rows = await tx.read<Row>(sql, values);
    mostRows = Math.max(mostRows, rows.length);
    return rows;
  };
  return { read, write: read } as unknown as Tx;
}

type Final = { readonly number: number; readonly hash: string };

async function accept(header: BlockHeader, transfers: readonly Transfer[], isProven = true): Promise<number> {
  const blocks = [{ header, transfers, proposals: [], inclusions: [], isProven }];
  const accepted = await database.transact((tx) => acceptBlocks(counting(tx), { ...common(), blocks }));
  return accepted.outcome === 'accepted' ? accepted.seen : -1;
}

const settle = (final: Final) => database.transact((tx) => settleFinal(counting(tx), { ...common(), final }));

function transfersIn(block: BlockHeader, count: number): readonly Transfer[] {
  return Array.from({ length: count }, (_, place) =>
    transferTo(addresses[place % 3] ?? '', block, {
      txId: `tx${block.number}-${place}`,
      position: `log:${place}`,
      units: 1000n,
    }),
  );
}

async function acceptMany(number: number, count: number): Promise<void> {
  const header = headerAt(number);
  expect(await accept(header, transfersIn(header, count))).toBe(count);
}

async function state(): Promise<unknown> {
  const cursor = (await readCursors(database.reader)).get(eth.name);
  const [row] = await database.reader.read<{ settled: number }>(
    `SELECT count(*) AS settled FROM transfers WHERE state = 'final'`,
    [],
  );
  const { finalNumber, finalTime } = cursor ?? {};
  return { finalNumber, finalTime, settled: row?.settled };
}

describe('settling', () => {
  it('takes as many whole blocks as fit, and says that there is more', { timeout }, async () => {
    for (const number of [1, 2]) await acceptMany(number, MANY);
    await acceptMany(3, 5);
    expect(await settle({ number: 3, hash: 'a3' })).toMatchObject({
      settled: { transfers: MANY },
      isBehind: true,
    });
    expect(await state()).toEqual({ finalNumber: 1, finalTime: headerAt(1).time, settled: MANY });

    expect(await settle({ number: 3, hash: 'b3' })).toEqual({ outcome: 'fork' });
    expect(await settle({ number: 3, hash: 'a3' })).toMatchObject({
      outcome: 'settled',
      settled: { transfers: MANY + 5 },
      isBehind: false,
    });
    expect(await state()).toMatchObject({ finalNumber: 3, settled: 2 * MANY + 5 });
    expect(await settle({ number: 3, hash: 'a3' })).toMatchObject({
      settled: { transfers: 0 },
      isBehind: false,
    });
    expect(mostRows).toBeLessThanOrEqual(SETTLED_AT_ONCE + 1);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('takes a block with more than that as a whole, a share at a time', { timeout }, async () => {
    await acceptMany(1, 2 * SETTLED_AT_ONCE + 7);
    await acceptMany(2, 1);
    expect(await settle({ number: 2, hash: 'a2' })).toMatchObject({
      settled: { transfers: 2 * SETTLED_AT_ONCE + 7 },
      isBehind: true,
    });
    expect(await state()).toMatchObject({ finalNumber: 1, settled: 2 * SETTLED_AT_ONCE + 7 });
    expect(await settle({ number: 2, hash: 'a2' })).toMatchObject({
      settled: { transfers: 1 },
      isBehind: false,
    });
    expect(mostRows).toBeLessThanOrEqual(SETTLED_AT_ONCE + 1);
    const [paid] = await database.reader.read<{ collected: string }>(
      'SELECT sum(collected)::text AS collected FROM orders',
      [],
    );
    expect(paid?.collected).toBe(String(1000 * (2 * SETTLED_AT_ONCE + 8)));
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('never cuts a transaction in two between shares', { timeout }, async () => {
    const header = headerAt(1);
    const before = transfersIn(header, SETTLED_AT_ONCE - 1);
    const parts = [1, 2, 3].map((place) =>
      transferTo(addresses[0] ?? '', header, { txId: 'parts', position: `log:${place}`, units: 5_000_000n }),
    );
    await accept(header, [...before, ...parts, ...transfersIn(headerAt(9), 3)]);
    await settle(header);
    const written = await database.reader.read<{ status: string }>(
      `SELECT body::json ->> 'status' AS status FROM events WHERE body::json ->> 'txId' = 'parts'`,
      [],
    );
    expect(written).toEqual([{ status: 'PAID' }]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('goes on above late payments that wait for the search, however many a payer sends', {
    timeout,
  }, async () => {
    const order = await insertTestOrder(database, { tradeNo: 'ord_late', currencyId: 1000 });
    const [late, next] = [1, 2].map((number) => headerAt(number, { time: START_TIME + 2_000 + number }));
    const waiting = Array.from({ length: SETTLED_AT_ONCE + 1 }, (_, place) =>
      transferTo(order.address, late!, {
        txId: `late-${place}`,
        position: 'value',
        amount: amountOf(1000, 1n),
      }),
    );
    expect(await accept(late!, waiting)).toBe(waiting.length);
    await settle(late!);
    expect(await state()).toMatchObject({ finalNumber: 1, settled: 0 });
    await accept(next!, transfersIn(next!, 3));
    expect(await settle(next!)).toMatchObject({ settled: { transfers: 3 }, isBehind: false });
    expect(await state()).toMatchObject({ finalNumber: 2, settled: 3 });
  });

  // hits mark: final-hash-is-ours
  it('writes nothing of a final block that is not ours, and knows nothing of one never read', async () => {
    await acceptMany(5, 1);
    expect(await settle({ number: 5, hash: 'b5' })).toEqual({ outcome: 'fork' });
    expect(await settle({ number: 3, hash: 'a3' })).toMatchObject({ settled: { transfers: 0 } });
    expect(await state()).toMatchObject({ finalNumber: null, settled: 0 });
  });

  // hits mark: unproven-never-final
  it('stops below a block that neither proves itself nor was compared', async () => {
    const header = headerAt(1);
    await accept(header, transfersIn(header, 2), false);
    await acceptMany(2, 1);
    await expect(settle({ number: 2, hash: 'a2' })).rejects.toThrow('a block is not proven');
    expect(await state()).toMatchObject({ finalNumber: null, settled: 0 });
    const compare = (transfers: readonly Transfer[]) =>
      database.transact((tx) =>
        compareBlocks(tx, { ...common(), blocks: [{ header, transfers, inclusions: [] }] }),
      );
    expect(await compare(transfersIn(header, 1))).toEqual({ outcome: 'compared', differing: [1] });
    expect(await compare(transfersIn(header, 2))).toEqual({ outcome: 'compared', differing: [] });
    expect(await settle({ number: 2, hash: 'a2' })).toMatchObject({ settled: { transfers: 3 } });
  });

  it('forgets blocks that no fork can reach, each sixteenth block', async () => {
    const chain = { ...eth, windowBlocks: 3 };
    const kept = async (number: number) => {
      await accept(headerAt(number), []);
      const final = { number, hash: `a${number}` };
      await database.transact((tx) => settleFinal(tx, { ...common(), chain, final }));
      const rows = await database.reader.read<{ number: number }>(
        'SELECT min(number)::integer AS number FROM blocks',
        [],
      );
      return rows[0]?.number;
    };
    const lowest: (number | undefined)[] = [];
    for (let number = 1; number <= 33; number++) lowest.push(await kept(number));
    expect(lowest.slice(0, 15)).toEqual(Array(15).fill(1));
    expect(lowest.slice(15, 31)).toEqual(Array(16).fill(13));
    expect(lowest.slice(31)).toEqual([29, 29]);
  });

  it('is refused to a process that does not hold the lease', async () => {
    await acceptMany(1, 1);
    const lease = { token: 1, holder: 'stranger' };
    const stranger = { ...common(), lease, final: { number: 1, hash: 'a1' } };
    expect(await database.transact((tx) => settleFinal(tx, stranger))).toEqual({ outcome: 'lease-lost' });
  });
});
