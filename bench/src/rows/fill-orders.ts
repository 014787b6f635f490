// Fills a database with as many orders as years of business make: with their addresses, transfers, ledger and events.
import { openDatabase } from '@ducat/gateway/db/postgres/tx';
import pg from 'pg';
import { addAddresses, addOpenOrders } from './made-rows.ts';

export interface FillPlan {
  readonly appId: string;
  readonly orders: number;
  /** The last so many are open; of the others nine in ten were paid and the rest timed out. */
  readonly open: number;
  /** Transfers of each order that is not open; by default one for each order that was paid. Others are late or extra. */
  readonly transfers?: number;
}

/** Tables that grow with the orders, in the order of their references: a table comes after the tables that it refers to. */
const tables: readonly string[] = [
  'addresses',
  'orders',
  'order_keys',
  'transfers',
  'entries',
  'postings',
  'events',
  'final_events',
  'delivery_attempts',
];

/**
 * Keys and indexes are dropped and triggers disabled while rows are inserted, and restored afterwards: ten minutes become
 * one or two. Foreign keys come back without validation of the old rows, which changes nothing in how they work.
 */
export async function fillOrders(url: string, plan: FillPlan): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const run = async (sql: string, values: readonly (string | number)[] = []) =>
      void (await client.query(sql, [...values]));
    const { own, between } = await takeOff(client);
    const rows = rowsOf(plan);
    // Transfers are as much work as all the rest, and a connection uses one core. So two connections share the work.
    const isTransfers = ({ table }: OfTable) => table === 'transfers';
    const isOther = (one: OfTable) => !isTransfers(one);
    await Promise.all(
      [isTransfers, isOther].map((isHere) => fillPart(url, rows.filter(isHere), own.filter(isHere))),
    );
    for (const sql of between) await run(sql);
    for (const table of tables) await run(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await run(numbersOn(plan));
    await addAddresses(run, plan.appId, plan.orders - plan.open + 1, plan.orders);
    await addOpenOrders(run, plan.appId, plan.orders - plan.open + 1, plan.orders);
    await run('VACUUM (FREEZE, ANALYZE)');
  } finally {
    await client.end();
  }
  await checkFilled(url, plan);
}

interface OfTable {
  readonly table: string;
  readonly sql: string;
}

/** Fills tables by these statements, one after the other, and puts their keys and indexes back. */
async function fillPart(url: string, rows: readonly OfTable[], own: readonly OfTable[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const { table, sql } of rows) {
      await client.query('BEGIN');
      // Rows for a table that is truncated in the same transaction need no write-ahead log.
      if (tables.includes(table)) await client.query(`TRUNCATE ${table}`);
      await client.query(sql);
      await client.query('COMMIT');
    }
    for (const { sql } of own) await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Drops what slows down filling. Returns the statements that restore it, in their order: `own` are about one table each,
 * `between` are foreign keys, which lock two.
 */
async function takeOff(
  client: pg.Client,
): Promise<{ readonly own: readonly OfTable[]; readonly between: readonly string[] }> {
  const constraints = await client.query<{ table: string; name: string; kind: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype IN ('f', 'p', 'u')
       AND (conrelid = ANY ($1::text[]::regclass[]) OR confrelid = ANY ($1::text[]::regclass[]))
     ORDER BY contype <> 'f', contype = 'u' DESC`,
    [tables],
  );
  for (const { table, name } of constraints.rows)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const indexes = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid = ANY ($1::text[]::regclass[])`,
    [tables],
  );
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  const keys = constraints.rows.filter(({ kind }) => kind !== 'f');
  const foreign = constraints.rows.filter(({ kind }) => kind === 'f');
  const backOf = ({ table, name, definition }: (typeof constraints.rows)[number]) =>
    `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`;
  return {
    own: [
      ...keys.map((key) => ({ table: key.table, sql: backOf(key) })),
      ...indexes.rows.map(({ table, definition }) => ({ table, sql: definition })),
    ],
    between: foreign.map((key) => `${backOf(key)} NOT VALID`),
  };
}

const PLACE = 'generate_series(1, $N) AS place';
const TRADE_NO = `'made-' || place`;
const ADDRESS = `'0xf1' || lpad(to_hex(place), 38, '0')`;
const TX_ID = `'0x' || md5(place::text) || md5((place + 1)::text)`;
const IS_PAID = 'place % 10 <> 9';
const TIME = '1700000000 + place';
const REFERENCE = `'ETH/' || ${TX_ID} || '/log:0'`;
const BODY = `'{"event":"PAYMENT","padding":"' || repeat('x', 560) || '","trade_no":"' || ${TRADE_NO} || '"}'`;
const QUOTE = `'{"fiat":"EUR","priceUnits":"900000000000000000","at":1700000000,"source":"market"}'::jsonb`;

/** Statements in the order in which they run. Every payment is of 10 USDT, with a fee of 0.03. */
function rowsOf({ appId, orders, open, transfers }: FillPlan): readonly OfTable[] {
  const app = pg.escapeLiteral(appId);
  const ended = orders - open;
  const statements = [
    `INSERT INTO addresses (address_id, app_id, family, derivation_index, address, trade_no) OVERRIDING SYSTEM VALUE
     SELECT place, ${app}, 'evm', place, ${ADDRESS}, ${TRADE_NO} FROM ${PLACE}`,
    `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
       collected, tolerance_ppm, last_tx_id, status, fiat_name, fiat_amount, quote, create_time, time_expire)
     SELECT ${TRADE_NO}, ${app}, ${TRADE_NO}, md5(place::text) || md5(place::text), 'NATIVE', 'ETH', 1001, place,
       ${ADDRESS}, 10000000, CASE WHEN ${IS_PAID} THEN 10000000 ELSE 0 END, 0,
       CASE WHEN ${IS_PAID} THEN ${TX_ID} ELSE '' END, CASE WHEN ${IS_PAID} THEN 'PAID' ELSE 'TIME-OUT' END,
       'EUR', '9.99', ${QUOTE}, ${TIME}, ${TIME} + 1800 FROM ${PLACE}`,
    `INSERT INTO order_keys (app_id, out_trade_no, trade_no) SELECT ${app}, ${TRADE_NO}, ${TRADE_NO} FROM ${PLACE}`,
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, disposition, address_id, app_id, trade_no)
     SELECT 'ETH', ${TX_ID}, 'log:0', 1, 1001, '0xee' || lpad(to_hex(place), 38, '0'), ${ADDRESS}, 10000000, 0,
       '0x' || md5(place::text) || md5(place::text), ${TIME} + 60, 'final', 'payment', place, ${app}, ${TRADE_NO}
     FROM ${PLACE} WHERE ${IS_PAID}${transfers === undefined ? '' : more(app, transfers)}`,
    `INSERT INTO entries (entry_id, fact, reference, at_ms) OVERRIDING SYSTEM VALUE
     SELECT place, 'deposit', ${REFERENCE}, (${TIME} + 120) * 1000::bigint FROM ${PLACE} WHERE ${IS_PAID}`,
    `INSERT INTO accounts (kind, owner, currency_id, balance)
     SELECT kind, CASE kind WHEN 'available' THEN ${app} ELSE owner END, 1001, share * paid
     FROM (VALUES ('custody', 'ETH', -10000000), ('available', '', 9970000), ('fee', 'gateway', 30000)) AS a (kind, owner, share),
       (SELECT count(*) AS paid FROM ${PLACE} WHERE ${IS_PAID}) AS counted`,
    `INSERT INTO postings (entry_id, account_id, currency_id, units)
     SELECT place, account_id, 1001, CASE kind WHEN 'custody' THEN -10000000 WHEN 'fee' THEN 30000 ELSE 9970000 END
     FROM ${PLACE}, accounts WHERE ${IS_PAID}`,
    `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state, attempts, created_at_ms)
     SELECT 'evt-' || place, ${app}, ${TRADE_NO}, 'PAYMENT', CASE WHEN ${IS_PAID} THEN 'PAID' ELSE 'TIME-OUT' END, true,
       ${BODY}, 'https://shop.example/hook', 'shop.example', 'delivered', 1, (${TIME} + 120) * 1000::bigint FROM ${PLACE}`,
    `INSERT INTO final_events (trade_no, status, event_id)
     SELECT ${TRADE_NO}, CASE WHEN ${IS_PAID} THEN 'PAID' ELSE 'TIME-OUT' END, 'evt-' || place FROM ${PLACE}`,
    `INSERT INTO delivery_attempts (event_id, attempt, started_at_ms, duration_ms, http_status, outcome)
     SELECT 'evt-' || place, 1, (${TIME} + 120) * 1000::bigint, 80, 200, 'delivered' FROM ${PLACE}`,
  ];
  return statements.map((sql) => ({ table: tableOf(sql), sql: sql.replaceAll('$N', String(ended)) }));
}

const tableOf = (sql: string) => /INTO (\w+) \(/.exec(sql)?.[1] ?? '';

const numbersOn = ({ orders }: FillPlan) =>
  `SELECT setval(pg_get_serial_sequence('addresses', 'address_id'), ${orders + 1}),
     setval(pg_get_serial_sequence('entries', 'entry_id'), ${orders + 1})`;

/** Transfers besides the payment. The timeline shows them, and they are not booked. */
function more(app: string, transfers: number): string {
  return ` UNION ALL
     SELECT 'ETH', ${TX_ID}, 'log:' || nth, nth + 1, 1001, '0xee' || lpad(to_hex(place), 38, '0'), ${ADDRESS}, 1, 0,
       '0x' || md5(place::text) || md5(place::text), ${TIME} + 60 + nth, 'final',
       CASE WHEN ${IS_PAID} THEN 'extra' ELSE 'late' END, place, ${app}, ${TRADE_NO}
     FROM ${PLACE}, generate_series(0, ${transfers - 1}) AS nth WHERE nth > 0 OR NOT (${IS_PAID})`;
}

/** Throws where the count of orders is not the planned one, or the books do not balance. */
async function checkFilled(url: string, { orders }: FillPlan): Promise<void> {
  const database = openDatabase(url, 1);
  try {
    const [found] = await database.reader.read<{ orders: number; sum: string }>(
      'SELECT (SELECT count(*) FROM orders) AS orders, (SELECT sum(balance) FROM accounts)::text AS sum',
      [],
    );
    if (found?.orders !== orders || found.sum !== '0')
      throw new Error(`filled ${found?.orders} orders, balances sum to ${found?.sum}`);
  } finally {
    await database.close();
  }
}
