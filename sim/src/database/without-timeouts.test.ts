// The simulator's database never ends anything by the true clock, whatever limits the product asks for.
import { openDatabase } from '@ducat/gateway/db/postgres/tx';
import type {} from '@ducat/testkit/global-setup';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { IDLE_TIMEOUT, withoutTimeouts } from './without-timeouts.ts';

const clients: { query: unknown } = pg.Client.prototype;
const { query: plain } = clients;

beforeAll(() => withoutTimeouts());

// Other files share this process.
afterAll(() => {
  clients.query = plain;
});

it('leaves no limit where the product sets one', async () => {
  const database = openDatabase(inject('postgresAdminUrl'), 1);
  try {
    const limits = await database.transact(async (tx) => {
      await tx.read(`SELECT set_config('${IDLE_TIMEOUT}', $1, true), set_config('lock_timeout', $2, true)`, [
        '5000',
        '8000',
      ]);
      return tx.read(
        `SELECT current_setting('${IDLE_TIMEOUT}') AS idle, current_setting('lock_timeout') AS lock,
           current_setting('statement_timeout') AS statement`,
        [],
      );
    });
    expect(limits).toEqual([{ idle: '0', lock: '0', statement: '0' }]);
  } finally {
    await database.close();
  }
});
