// More is final at once than one transaction settles: it is done in parts that never show half a block.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import type { SqlValue, Tx } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  headerAt,
  insertApp,
  insertTestOrder,
  plainEncode,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import { acceptBlock, type AcceptedBlock, SETTLED_AT_ONCE, settleFinal } from './accept-block.ts';

/** Two of them are more than one transaction settles. */
const MANY = 1 + SETTLED_AT_ONCE / 2;
const timeout = 60_000;

let database: TestDatabase;
let events = 0;
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
  encode: plainEncode,
  newEventId: () => `evt_${++events}`,
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

function accept(
  header: BlockHeader,
  transfers: readonly Transfer[],
  final: Final | null,
): Promise<AcceptedBlock> {
  return database.transact((tx) => acceptBlock(counting(tx), { ...common(), header, transfers, final }));
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
  expect(await accept(header, transfersIn(header, count), null)).toMatchObject({
    outcome: 'accepted',
    seen: count,
  });
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
    const last = await accept(headerAt(4), [], { number: 3, hash: 'a3' });
    expect(last).toMatchObject({ settled: { transfers: MANY, isBehind: true } });
    expect(await state()).toEqual({ finalNumber: 1, finalTime: headerAt(1).time, settled: MANY });

    expect(await settle({ number: 3, hash: 'b3' })).toEqual({ outcome: 'fork' });
    expect(await settle({ number: 3, hash: 'a3' })).toMatchObject({
      outcome: 'settled',
      settled: { transfers: MANY + 5, isBehind: false },
    });
    expect(await state()).toMatchObject({ finalNumber: 3, settled: 2 * MANY + 5 });
    expect(await settle({ number: 3, hash: 'a3' })).toMatchObject({
      settled: { transfers: 0, isBehind: false },
    });
    expect(mostRows).toBeLessThanOrEqual(SETTLED_AT_ONCE + 1);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('takes a block with more than that as a whole, a share at a time', { timeout }, async () => {
    await acceptMany(1, 2 * SETTLED_AT_ONCE + 7);
    await acceptMany(2, 1);
    const accepted = await accept(headerAt(3), [], { number: 2, hash: 'a2' });
    expect(accepted).toMatchObject({ settled: { transfers: 2 * SETTLED_AT_ONCE + 7, isBehind: true } });
    expect(await state()).toMatchObject({ finalNumber: 1, settled: 2 * SETTLED_AT_ONCE + 7 });
    expect(await settle({ number: 2, hash: 'a2' })).toMatchObject({
      settled: { transfers: 1, isBehind: false },
    });
    expect(mostRows).toBeLessThanOrEqual(SETTLED_AT_ONCE + 1);
    const [paid] = await database.reader.read<{ collected: string }>(
      'SELECT sum(collected)::text AS collected FROM orders',
      [],
    );
    expect(paid?.collected).toBe(String(1000 * (2 * SETTLED_AT_ONCE + 8)));
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('is refused to whoever does not hold the lease', async () => {
    await acceptMany(1, 1);
    const stranger = {
      ...common(),
      lease: { token: 1, holder: 'stranger' },
      final: { number: 1, hash: 'a1' },
    };
    expect(await database.transact((tx) => settleFinal(tx, stranger))).toEqual({ outcome: 'lease-lost' });
  });
});
