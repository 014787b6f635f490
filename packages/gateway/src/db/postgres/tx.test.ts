// Shows that a transaction outlives nothing it should not: a database that goes away is an outage, not a crash.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { openDatabase } from './tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import type { Reader } from './tx.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 3);
});

afterAll(async () => {
  await database.drop();
});

async function endConnection(pid: number): Promise<void> {
  // Waits until the backend is gone, so that its last word has been said.
  await database.reader.read('SELECT pg_terminate_backend($1, 5000)', [pid]);
}

describe('transact', () => {
  it('meets an outage when the connection goes between two statements', async () => {
    const flow = database.transact(async (tx) => {
      const [row] = await tx.read<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
      await endConnection(row?.pid ?? 0);
      return tx.read('SELECT 1', []);
    });
    await expect(flow).rejects.toBeInstanceOf(Outage);
    expect(await database.transact((tx) => tx.read('SELECT 1 AS one', []))).toEqual([{ one: 1 }]);
  });

  it('meets an outage when the connection goes before the commit', async () => {
    const flow = database.transact(async (tx) => {
      const [row] = await tx.read<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
      await endConnection(row?.pid ?? 0);
    });
    await expect(flow).rejects.toBeInstanceOf(Outage);
  });
});

describe('connections apart', () => {
  it('are there while all others are busy, and close with them', async () => {
    const small = openDatabase(database.url, 1);
    const seen = await small.transact(async () => {
      const renewed = await small.apart.transact((tx) => tx.write('SELECT 1 AS one', []));
      return [renewed, await small.apart.reader.read('SELECT 2 AS two', [])];
    });
    expect(seen).toEqual([[{ one: 1 }], [{ two: 2 }]]);
    await small.close();
    await expect(small.apart.reader.read('SELECT 1', [])).rejects.toBeInstanceOf(Outage);
  });
});

describe('connections for queues', () => {
  it('plan by index, whatever options the address has', async () => {
    const own = openDatabase(`${database.url}?options=-c%20work_mem%3D8MB%20-c%20enable_sort%3Don`, 1);
    const settings = `SELECT current_setting('enable_seqscan') AS seqscan, current_setting('enable_sort') AS sort,
      current_setting('work_mem') AS mem`;
    expect(await own.queues.reader.read(settings, [])).toEqual([{ seqscan: 'off', sort: 'off', mem: '8MB' }]);
    expect(await own.reader.read(settings, [])).toEqual([{ seqscan: 'on', sort: 'on', mem: '8MB' }]);
    await own.close();
  });

  it('compile no statement: the cost of a way that is off would make each statement look worth it', async () => {
    const jit = `SELECT current_setting('jit') AS jit`;
    expect(await database.queues.reader.read(jit, [])).toEqual([{ jit: 'off' }]);
  });
});

describe('a flow of one statement', () => {
  const ALONE = 'SELECT now() = statement_timestamp() AS alone';

  it('is a transaction by itself, and any other flow is not', async () => {
    const begun = await database.transact((tx) => tx.read(ALONE, []));
    const alone = await database.transact((tx) => tx.read(ALONE, []), 'one-statement');
    expect([begun, alone]).toEqual([[{ alone: false }], [{ alone: true }]]);
  });

  it('is written when it is answered, and refuses another statement before that one is sent', async () => {
    const flow = database.transact(async (tx) => {
      await tx.write("INSERT INTO merchants VALUES ('mer_first', 'Shop', 0, 0)", []);
      await tx.write("INSERT INTO merchants VALUES ('mer_second', 'Shop', 0, 0)", []);
    }, 'one-statement');
    await expect(flow).rejects.toThrow('a flow of one statement sent another one');
    const written = 'SELECT merchant_id FROM merchants ORDER BY 1';
    expect(await database.reader.read(written, [])).toEqual([{ merchant_id: 'mer_first' }]);
  });

  it('throws what the statement did wrong, and meets an outage when the connection goes', async () => {
    const wrong = database.transact((tx) => tx.read('SELECT no_such_column', []), 'one-statement');
    await expect(wrong).rejects.toMatchObject({ code: '42703' });
    const gone = database.transact(
      (tx) => tx.read('SELECT pg_terminate_backend(pg_backend_pid(), 5000)', []),
      'one-statement',
    );
    await expect(gone).rejects.toBeInstanceOf(Outage);
    expect(await database.transact((tx) => tx.read('SELECT 1 AS one', []))).toEqual([{ one: 1 }]);
  });
});

describe('a statement that is sent again', () => {
  const BY_ID = 'SELECT * FROM merchants WHERE merchant_id = $1';

  async function countPrepared(tx: Reader, sql = BY_ID): Promise<number> {
    const [row] = await tx.read<{ n: number }>(
      'SELECT count(*) AS n FROM pg_prepared_statements WHERE statement = $1',
      [sql],
    );
    return row?.n ?? 0;
  }

  it('is prepared once on its connection', async () => {
    const prepared = await database.transact(async (tx) => {
      for (let times = 0; times < 3; times++) await tx.read(BY_ID, ['mer_none']);
      return countPrepared(tx);
    });
    expect(prepared).toBe(1);
  });

  it('is prepared where a reader asks without values', async () => {
    const own = openDatabase(database.url, 1);
    const all = 'SELECT merchant_id FROM merchants';
    await own.reader.read(all, []);
    expect(await countPrepared(own.reader, all)).toBe(1);
    await own.close();
  });

  it('is prepared however many statements another database of the process has sent', async () => {
    const other = openDatabase(database.url, 1);
    for (let n = 0; n < 500; n++) await other.reader.read(`SELECT ${n} AS n`, []);
    await other.close();
    const own = openDatabase(database.url, 1);
    await own.reader.read(BY_ID, ['mer_none']);
    expect(await countPrepared(own.reader)).toBe(1);
    await own.close();
  });

  it('is answered when the table got a column meanwhile, on every connection', async () => {
    // As many at once as there are connections, so that each of them has it prepared.
    const onAll = () =>
      Promise.all(Array.from({ length: 3 }, () => database.transact((tx) => tx.read(BY_ID, ['mer_first']))));
    await onAll();
    await database.transact((tx) => tx.write('ALTER TABLE merchants ADD COLUMN added integer', []));
    const [first] = await database.reader.read<object>(BY_ID, ['mer_first']);
    expect(first).toHaveProperty('added');
    const alone = await database.transact((tx) => tx.read<object>(BY_ID, ['mer_first']), 'one-statement');
    expect(alone[0]).toHaveProperty('added');
    for (const rows of await onAll()) expect(rows[0]).toHaveProperty('added');
    await database.transact((tx) => tx.write('ALTER TABLE merchants DROP COLUMN added', []));
    for (const rows of await onAll()) expect(rows[0]).not.toHaveProperty('added');
  });
});
