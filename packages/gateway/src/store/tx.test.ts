// Shows that a transaction outlives nothing it should not: a database that goes away is an outage, not a crash.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Outage } from '../outage.ts';
import { openTestDatabase, type TestDatabase } from '../testing/database.ts';

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
