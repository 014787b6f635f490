// Migration 0007 on a database of the first edition: nothing is lost, and what has to hold for ever holds from then on.
import { readFile } from 'node:fs/promises';
import { cloneDatabase, createTemplate } from '@ducat/devnet/postgres/test-database';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { listAttempts, listEvents } from '../tables/deliveries/event-lists.ts';
import { findOrderByOutTradeNo } from '../tables/orders/orders.ts';
import { readQuoteEvidence } from '../tables/orders/quote-evidence.ts';
import { migrationFiles } from './migrations/migrate.ts';
import { type Database, openDatabase } from './tx.ts';

let database: Database;
let drop: () => Promise<void>;

beforeEach(async () => {
  const adminUrl = inject('postgresAdminUrl');
  await createTemplate(adminUrl, 'ducat_empty', () => Promise.resolve());
  const empty = await cloneDatabase(adminUrl, 'ducat_empty');
  database = openDatabase(empty.url, 1);
  drop = async () => {
    await database.close();
    await empty.drop();
  };
});
afterEach(() => drop());

async function apply(isWanted: (number: number) => boolean): Promise<void> {
  for (const { number, name } of await migrationFiles()) {
    if (!isWanted(number)) continue;
    const sql = await readFile(new URL(`../../../migrations/${name}`, import.meta.url), 'utf8');
    await database.transact((tx) => tx.write(sql, []));
  }
}

const QUOTE = `{"fiat":"EUR","priceUnits":"5","at":1,"source":"market median","evidence":[
  {"source":"okx","base":"ETH","quote":"USD","priceUnits":"7","at":2,"verdict":"used"}]}`;

const FIRST_EDITION = [
  `INSERT INTO merchants VALUES ('mer_1', 'Shop', 300, 0)`,
  `INSERT INTO apps (app_id, merchant_id, name, kind, account, sealed_key, created_at_ms)
   VALUES ('app_1', 'mer_1', 'Shop', 'PAYMENT', 1, '\\x00', 0)`,
  `INSERT INTO account_keys VALUES ('app_1', 'evm', 'key')`,
  `INSERT INTO addresses (app_id, family, derivation_index, address) VALUES ('app_1', 'evm', 0, '0x1')`,
  `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
     collected, tolerance_ppm, status, quote, create_time, time_expire)
   SELECT 'ord_' || n, 'app_1', 'out' || n, 'h', 'NATIVE', 'ETH', 1000, 1, '0x1', 1, 0, 0, 'TIME-OUT',
     CASE n WHEN 1 THEN '${QUOTE}'::jsonb WHEN 2 THEN '"damaged"'::jsonb END, 0, 0 FROM generate_series(1, 3) AS n`,
  `UPDATE addresses SET trade_no = 'ord_1'`,
  `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state, attempts,
     next_attempt_at_ms, created_at_ms)
   VALUES ('evt_done', 'app_1', 'ord_1', 'PAYMENT', 'TIME-OUT', true, '{}', 'http://a.test/', 'a.test', 'delivered', 1, NULL, 0),
     ('evt_open', 'app_1', 'ord_2', 'PAYMENT', 'TIME-OUT', true, '{}', 'http://a.test/', 'a.test', 'pending', 1, 5, 0)`,
  `INSERT INTO delivery_attempts VALUES ('evt_done', 1, 0, 1, 200, 'delivered'), ('evt_open', 1, 0, 1, NULL, 'timeout')`,
];

it('keeps what was there under the new keys', async () => {
  await apply((number) => number < 5);
  await database.transact(async (tx) => {
    for (const sql of FIRST_EDITION) await tx.write(sql, []);
  });
  await apply((number) => number >= 5);
  const { reader } = database;
  const order = await findOrderByOutTradeNo(reader, 'app_1', 'out1');
  expect(order).toMatchObject({
    tradeNo: 'ord_1',
    quote: { source: 'market median' },
    isQuoteDamaged: false,
  });
  expect(await readQuoteEvidence(reader, 'ord_1')).toMatchObject([{ source: 'okx', priceUnits: 7n }]);
  expect((await findOrderByOutTradeNo(reader, 'app_1', 'out2'))?.isQuoteDamaged).toBe(true);
  const events = await listEvents(reader, { limit: 10 });
  expect(events.map(({ eventId, state }) => [eventId, state])).toEqual([
    ['evt_open', 'pending'],
    ['evt_done', 'delivered'],
  ]);
  expect(await listAttempts(reader, 'evt_done')).toMatchObject([{ outcome: 'delivered' }]);
  const rows = `SELECT (SELECT count(*) FROM events) AS hot, (SELECT count(*) FROM archived_events) AS archived,
    (SELECT count(*) FROM final_events) AS final`;
  expect(await reader.read(rows, [])).toEqual([{ hot: 1, archived: 1, final: 2 }]);
});
