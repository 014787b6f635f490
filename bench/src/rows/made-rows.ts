// Makes rows like real ones, by one statement each: addresses, open orders and events.
import type { Reader, Tx } from '@ducat/gateway/db/postgres/tx';
import { USDT } from '../chains/chain-entry.ts';
import { TRON_USDT } from '../chains/tron-entry.ts';

/** The chain of made addresses and orders, and the currency of the orders. */
export interface MadePlace {
  readonly family: 'evm' | 'tron';
  readonly chain: string;
  readonly currencyId: number;
  /** What an address of the family begins with. */
  readonly prefix: string;
}

export const onEth: MadePlace = { family: 'evm', chain: 'ETH', currencyId: USDT.id, prefix: '0x' };
export const onTron: MadePlace = { family: 'tron', chain: 'Tron', currencyId: TRON_USDT.id, prefix: '41' };

/** The address at a place of a made pool. Floor and watcher derive no addresses, so any text in the right form will do. */
export function madeAddress(place: number, { prefix }: MadePlace = onEth): string {
  return `${prefix}f1${place.toString(16).padStart(38, '0')}`;
}

/** Runs one statement, in a transaction or on a connection that was opened for filling. */
export type RunSql = (sql: string, values: readonly (string | number)[]) => Promise<unknown>;

export function statementsOf(tx: Tx): RunSql {
  return (sql, values) => tx.write(sql, values);
}

export async function addAddresses(
  run: RunSql,
  appId: string,
  from: number,
  to: number,
  { family, prefix }: MadePlace = onEth,
): Promise<void> {
  await run(
    `INSERT INTO addresses (app_id, family, derivation_index, address)
     SELECT $1, '${family}', place, '${prefix}f1' || lpad(to_hex(place), 38, '0') FROM generate_series($2::integer, $3::integer) AS place`,
    [appId, from, to],
  );
}

/** Open orders of 10 USDT for the free addresses at these places; each is paid by one transfer of that much. */
export async function addOpenOrders(
  run: RunSql,
  appId: string,
  from: number,
  to: number,
  { family, chain, currencyId }: MadePlace = onEth,
): Promise<void> {
  await run(
    `WITH made AS (
       INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address,
         due, collected, tolerance_ppm, status, fiat_name, fiat_amount, quote, create_time, time_expire)
       SELECT 'made-' || derivation_index, app_id, 'made-' || derivation_index, md5(address) || md5(address), 'NATIVE',
         '${chain}', ${currencyId}, address_id, address, 10000000, 0, 0, 'TO-BE-PAID', 'EUR', '9.99', null,
         1700000000, 4000000000
       FROM addresses WHERE app_id = $1 AND family = '${family}' AND derivation_index BETWEEN $2::integer AND $3::integer
       RETURNING trade_no, app_id, out_trade_no, address_id
     ), keyed AS (INSERT INTO order_keys SELECT app_id, out_trade_no, trade_no FROM made)
     UPDATE addresses SET trade_no = made.trade_no FROM made WHERE addresses.address_id = made.address_id`,
    [appId, from, to],
  );
}

/** The body of a webhook as long as a real one. */
const BODY = `'{"event":"PAYMENT","appid":"app","trade_no":"' || trade_no || '","out_trade_no":"' || out_trade_no || '",'
  || '"chain":"ETH","token":"USDT","currency_id":1001,"contract":"0xdAC17F958D2ee523a2206206994597C13D831ec7",'
  || '"amount":"10","amount_collected":"10","pay_address":"' || address || '","status":"PAID","time":1700000500,'
  || '"txid":"0x' || md5(trade_no) || md5(address) || '","mode":"NATIVE","decimal":6,"chain_id":1,"fiat_name":"EUR",'
  || '"fiat_amount":"9.99","need_confirms":12,"already_confirms":12,"redirect_url":""}'`;

/** One event for each of these orders, due at `nowMs`, as accept-block writes it. */
export async function addEvents(
  run: RunSql,
  {
    url,
    receiver,
    from,
    to,
    nowMs,
  }: { url: string; receiver: string; from: number; to: number; nowMs: number },
): Promise<void> {
  await run(
    `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state,
       next_attempt_at_ms, created_at_ms)
     SELECT 'evt-' || trade_no, app_id, trade_no, 'PAYMENT', 'PAID', true, ${BODY}, $1, $2, 'pending', $3, $3
     FROM unnest((SELECT array_agg('made-' || place) FROM generate_series($4::integer, $5::integer) AS place)) AS wanted
       JOIN orders ON trade_no = wanted ORDER BY trade_no`,
    [url, receiver, nowMs, from, to],
  );
}

/** The chain's newest accepted block, 0 before the first. */
export async function readHead(reader: Reader): Promise<number> {
  return (await readHeights(reader, onEth)).head;
}

/** A chain's newest accepted block and its newest final one in the books, 0 before the first. */
export async function readHeights(
  reader: Reader,
  { chain }: MadePlace,
): Promise<{ readonly head: number; readonly final: number }> {
  const [row] = await reader.read<{ head_number: number | null; final_number: number | null }>(
    'SELECT head_number, final_number FROM chain_cursors WHERE chain = $1',
    [chain],
  );
  return { head: row?.head_number ?? 0, final: row?.final_number ?? 0 };
}
