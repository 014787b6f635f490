// A merchant with twenty thousand orders and their rows in all tables, and a small merchant whose rows lie in between.
import type { Database } from '@ducat/gateway/db/postgres/tx';
import { insertApp } from '../fixtures.ts';

export const ROWS = 20_000;
/** The apps of `mer_1`. The third one has few rows, and no new ones. */
export const APPS = ['app_1', 'app_2', 'app_3'];
/** The app of `mer_4`. */
export const SMALL_APP = 'app_4';

/** The id of a row. The rows of each list are numbered from 1 to `ROWS`, the oldest first. */
export const idAt = (prefix: 'ord' | 'pay' | 'evt' | 'cal', place: number) =>
  `${prefix}_${String(place).padStart(10, '0')}`;

export async function fillManyRows(database: Database): Promise<void> {
  for (const account of [1, 2, 3, 4])
    await insertApp(database, {
      appId: `app_${account}`,
      account,
      addresses: 1,
    });
  await database.transact(async (tx) => {
    // Without the checks of foreign keys, which take most of the time.
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    for (const sql of [...SHARED, ...rowsOf(LARGE), ...rowsOf(SMALL)]) await tx.write(sql, []);
    await tx.write('UPDATE merchants SET max_open_orders = 10', []);
    await tx.write(`UPDATE apps SET merchant_id = 'mer_1' WHERE app_id = ANY ($1)`, [APPS]);
  }, 'unhurried');
}

interface Lot {
  /** SQL of the rows' numbers `n`. `app` and `account` are SQL for the row `n`; `end` is the suffix of its ids. */
  readonly from: string;
  readonly app: string;
  readonly account: string;
  readonly address: number;
  readonly end: string;
}

const LARGE: Lot = {
  from: `FROM generate_series(1, ${ROWS}) AS n`,
  app: `CASE WHEN n <= ${ROWS} * 0.6 AND n % 100 = 0 THEN 'app_3' ELSE 'app_' || 1 + n % 2 END`,
  account: '1 + (n % 2)',
  address: 1,
  end: '',
};

/** A row for every five hundredth number, just after the large merchant's row of that number. */
const SMALL: Lot = {
  from: `FROM generate_series(1, ${ROWS}, 500) AS n`,
  app: `'${SMALL_APP}'`,
  account: '3',
  address: 4,
  end: 's',
};

const SHARED = [
  `INSERT INTO chain_cursors (chain, updated_at_ms) VALUES ('ETH', 0), ('TRON', 0)`,
  `INSERT INTO accounts (kind, owner, currency_id)
   VALUES ('available', 'app_2', 1001), ('available', 'app_1', 1001), ('available', '${SMALL_APP}', 1001),
     ('custody', 'ETH', 1001)`,
  `INSERT INTO currencies (currency_id, chain, symbol, contract, decimals) VALUES (1001, 'ETH', 'USDT', '0x1', 6)`,
  `INSERT INTO price_history (currency_id, at, price)
   SELECT 1000 + n % 2, n / 2 + 1, 10::numeric ^ 18 FROM generate_series(1, ${ROWS}) AS n`,
];

/** Each order was paid by one booked transfer, and reported by one event. There are as many payouts as orders. */
function rowsOf({ from, app, account, address, end }: Lot): readonly string[] {
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 10, '0') || '${end}'`;
  const own = `'mine-' || n || '${end}'`;
  const txId = `md5(n || '${end}')`;
  return [
    `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
       collected, tolerance_ppm, status, create_time, time_expire)
     SELECT ${id('ord')}, ${app}, ${own}, '', 'NATIVE', 'ETH', CASE WHEN n = 100 THEN 1002 ELSE 1001 END, ${address},
       '0x' || n || '${end}', 10, CASE WHEN n % 1000 = 1 THEN 3 ELSE 0 END, 0,
       CASE WHEN n % 1000 = 1 THEN 'TIME-OUT' WHEN n > ${ROWS} - 50 THEN 'TO-BE-PAID' ELSE 'PAID' END, n, n ${from}`,
    `INSERT INTO order_keys (app_id, out_trade_no, trade_no) SELECT ${app}, ${own}, ${id('ord')} ${from}`,
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, disposition, address_id, app_id, trade_no)
     SELECT 'ETH', ${txId}, 'log:0', 1, 1001, '', '', 1, n, '', n, 'final',
       CASE WHEN n % 2000 = 7 THEN 'unassigned' ELSE 'payment' END, ${address}, ${app}, ${id('ord')} ${from}`,
    `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state, created_at_ms)
     SELECT ${id('evt')}, ${app}, ${id('ord')}, 'PAYMENT', 'PAID', true, '', '', '',
       CASE WHEN n % 1000 = 10 THEN 'dead' ELSE 'delivered' END, n ${from}`,
    `INSERT INTO delivery_attempts (event_id, attempt, started_at_ms, duration_ms, http_status, outcome)
     SELECT ${id('evt')}, 1, n, 80, 200, 'delivered' ${from}`,
    `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address, amount,
       service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval, create_time,
       start_time, end_time)
     SELECT ${id('pay')}, ${app}, 'key:pay-' || ${own}, ${own}, '', 'ETH', 1001, '0xsupplier', 1, 0, 0, 1, 1, 1000,
       1, 1, CASE WHEN n % 1000 = 3 THEN 'PROGRESS' ELSE 'PAID' END, n % 2 = 1, n,
       CASE WHEN n % 1000 = 3 THEN NULL ELSE n END, CASE WHEN n % 1000 = 3 THEN NULL ELSE n END ${from}`,
    `INSERT INTO api_calls (call_id, app_id, at_ms, operation, path, http_status, code, message, duration_ms, address,
       request_id, body_bytes, is_proven, out_trade_no, trade_no, calls)
     SELECT ${id('cal')}, ${app}, n, CASE WHEN n = 100 THEN 'create-payout' ELSE 'create-order' END, '', 200,
       CASE WHEN n % 1000 = 5 THEN 10003 ELSE 0 END, '', 1, '', 'asked-' || ${own}, 2, true, ${own}, ${id('ord')}, 1 ${from}`,
    `WITH booked AS (
       INSERT INTO entries (fact, reference, at_ms)
       SELECT 'deposit', 'ETH/' || ${txId} || '/log:0', n ${from} RETURNING entry_id, at_ms AS n)
     INSERT INTO postings (entry_id, account_id, currency_id, units)
     SELECT entry_id, side.account, 1001, side.units
     FROM booked CROSS JOIN LATERAL (VALUES (${account}, 1), (4, -1)) AS side (account, units)`,
    `INSERT INTO qr_codes (app_id, idempotency_key, signature, input_hash, name, chain, currency_id, default_amount,
       address_id, create_time)
     SELECT ${app}, ${own}, ${own}, '', '', 'ETH', 1001, 0, n * 10 + length('${end}'), n ${from}`,
    `INSERT INTO audit_log (sequence, at_ms, operation, merchant_id, subject, detail, address, hash)
     SELECT n * 10 + length('${end}'), n, '', CASE ${app} WHEN '${SMALL_APP}' THEN 'mer_4' ELSE 'mer_1' END, '', '', '', ''
     ${from}`,
  ];
}
