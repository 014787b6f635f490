// Senders pile up, one for each deposit address that was emptied: what a round reads does not grow with them.
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Reader, SqlValue } from '../../postgres/tx.ts';
import { findSender, listSenders, readSendersAtWork } from './senders.ts';

const SENDERS = 3_000;
const AT_WORK = 2_000;
/** Of the one sender at work. */
const OPEN = 200;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  await insertApp(database, { addresses: 0 });
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO addresses (app_id, family, derivation_index, address)
       SELECT app_id, 'evm', place, '0x' || place FROM apps, generate_series(1, $1) AS place`,
      [SENDERS],
    );
    await tx.write(
      `INSERT INTO senders (sender_id, chain, address_id, next_nonce, final_nonce, stopped_reason, stopped_at_ms)
       OVERRIDING SYSTEM VALUE SELECT derivation_index, 'ETH', address_id, 1, 1,
         CASE derivation_index WHEN $1 THEN 'another used nonce 1' END, CASE derivation_index WHEN $1 THEN 1 END
       FROM addresses`,
      [SENDERS],
    );
    await tx.write(
      `INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
         to_address, units, fee_cap, state, next_at_ms, created_at_ms)
       SELECT 'out_' || place, $1, 'ETH', 'payout', 'pay_' || place, '{}', 1001, '0xpayee', 1, 1, 'waiting', 1, 1
       FROM generate_series(1, $2) AS place`,
      [AT_WORK, OPEN],
    );
    await tx.write('ANALYZE', []);
  });
});

afterAll(() => database.drop());

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function rowsOf(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return Math.max(own, ...(plan.Plans ?? []).map(rowsOf));
}

it.each(['force_custom_plan', 'force_generic_plan'])(
  'reads the senders at work alone, by %s',
  async (mode) => {
    let most = Number.NaN;
    const read: Reader['read'] = async <Row>(sql: string, values: readonly SqlValue[]) => {
      const [chain, limit] = values.map((value) =>
        typeof value === 'number' ? `${value}` : `'${String(value)}'`,
      );
      await database.transact(async (tx) => {
        await tx.write(`SELECT set_config('plan_cache_mode', '${mode}', true)`, []);
        await tx.write(`PREPARE senders_at_work (text, bigint) AS ${sql}`, []);
        const explain = `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE senders_at_work (${chain}, ${limit})`;
        const [row] = await tx.write<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(explain, []);
        most = rowsOf(row!['QUERY PLAN'][0]!.Plan);
        await tx.write('DEALLOCATE senders_at_work', []);
      });
      return database.reader.read<Row>(sql, values);
    };
    const found = await readSendersAtWork({ read }, { chain: 'ETH', limit: 10 });
    expect(found.map(({ senderId }) => senderId)).toEqual([AT_WORK]);
    expect(most).toBeLessThanOrEqual(OPEN);
    expect(await readSendersAtWork(database.reader, { chain: 'BSC', limit: 10 })).toEqual([]);
  },
);

it('lists stopped senders first, and finds each by its number, however many there are', async () => {
  const listed = await listSenders(database.reader, 3);
  expect(listed.map(({ senderId }) => senderId)).toEqual([SENDERS, 1, 2]);
  expect(await findSender(database.reader, SENDERS)).toMatchObject({ stoppedReason: 'another used nonce 1' });
  expect(await findSender(database.reader, SENDERS + 1)).toBeNull();
});
