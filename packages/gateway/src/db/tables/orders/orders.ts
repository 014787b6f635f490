// Orders: found for answers, locked for transitions, written with what core decided.
import type { Order, OrderStatus } from '@ducat/core/order/order';
import { fromNumeric, toNumeric } from '../amounts.ts';
import { type KeptQuote, type QuoteJson, quoteFrom } from './quotes.ts';
import type { Reader, Tx } from '../../postgres/tx.ts';

export type OrderMode = 'NATIVE' | 'HOSTED';

export interface OrderRecord extends Order {
  readonly outTradeNo: string;
  readonly inputHash: string;
  readonly mode: OrderMode;
  readonly chain: string;
  /** Canonical text of the deposit address. */
  readonly address: string;
  readonly fiatName: string | null;
  readonly fiatAmount: string | null;
  /** The quote behind a fiat price; null if the order was priced in tokens, with or without a fiat label. */
  readonly quote: KeptQuote | null;
  /** Whether the row was altered by hand: it has a quote, and the quote cannot be read. */
  readonly isQuoteDamaged: boolean;
  readonly callbackUrl: string | null;
  readonly redirectUrl: string | null;
}

/** An order as it is answered: with what proves its address and how far its newest transfer is confirmed. */
export interface OrderDetail extends OrderRecord {
  readonly addressIndex: number;
  readonly accountPublicKey: string;
  /** Block of the newest transfer in the order's currency that was not orphaned; null before the first. */
  readonly newestBlock: number | null;
}

interface OrderRow {
  readonly trade_no: string;
  readonly app_id: string;
  readonly out_trade_no: string;
  readonly input_hash: string;
  readonly mode: OrderMode;
  readonly chain: string;
  readonly currency_id: number;
  readonly address: string;
  readonly due: string;
  readonly collected: string;
  readonly tolerance_ppm: number;
  readonly last_tx_id: string;
  readonly status: OrderStatus;
  readonly fiat_name: string | null;
  readonly fiat_amount: string | null;
  readonly quote: QuoteJson | null;
  readonly callback_url: string | null;
  readonly redirect_url: string | null;
  readonly create_time: number;
  readonly time_expire: number;
}

export interface DetailRow extends OrderRow {
  readonly derivation_index: number;
  readonly account_public_key: string;
  readonly newest_block: number | null;
}

/** The block of the newest transfer of an order o. */
const NEWEST_BLOCK = `
  (SELECT max(t.block_number) FROM transfers t
   WHERE t.trade_no = o.trade_no AND t.currency_id = o.currency_id AND t.state IN ('seen', 'final')
     AND t.block_time <= o.time_expire) AS newest_block`;

const detailAnd = (more: string) => `
  SELECT o.*, d.derivation_index, k.account_public_key, ${NEWEST_BLOCK} ${more}
  FROM orders o JOIN addresses d USING (address_id)
  JOIN account_keys k ON k.app_id = d.app_id AND k.family = d.family`;

/** An order with what proves its address. */
export const DETAIL = detailAnd('');

/** Whether an order's row is as it was, and what of an answer changes beside that row. */
export interface OrderProgress {
  /**
   * The number of the transaction that wrote the row last, and the server: after a failover that lost transactions, the new
   * primary gives their numbers to others. Another text means another version of the row.
   */
  readonly rowVersion: string;
  readonly newestBlock: number | null;
  /** The newest accepted block of the order's chain, null before the first. */
  readonly head: number | null;
}

export interface OrderUnderHead extends OrderDetail, OrderProgress {}

/** The names of an order in a request of its app. */
export interface OrderName {
  readonly appId: string;
  readonly tradeNo: string;
}

/** An order of this app by its trade_no; null for an unknown one and for another app's alike. */
export async function findOrder(
  reader: Reader,
  appId: string,
  tradeNo: string,
): Promise<OrderUnderHead | null> {
  const [found = null] = await findOrders(reader, [{ appId, tradeNo }]);
  return found;
}

/** The same of many, each with its own app. */
export async function findOrders(
  reader: Reader,
  wanted: readonly OrderName[],
): Promise<readonly (OrderUnderHead | null)[]> {
  const rows = await reader.read<{ readonly trade_no: null } | (DetailRow & ProgressRow)>(
    FIND_ORDERS,
    namesOf(wanted),
  );
  return rows.map((row) => (row.trade_no === null ? null : { ...toDetail(row), ...toProgress(row) }));
}

/** How far orders have come, for callers that know the rest of them. One statement for all, in their order. */
export async function readProgress(
  reader: Reader,
  wanted: readonly OrderName[],
): Promise<readonly (OrderProgress | null)[]> {
  const rows = await reader.read<{ readonly row_version: null } | ProgressRow>(
    READ_PROGRESS,
    namesOf(wanted),
  );
  return rows.map((row) => (row.row_version === null ? null : toProgress(row)));
}

interface ProgressRow {
  readonly row_version: string;
  readonly newest_block: number | null;
  readonly head: number | null;
}

const WANTED = 'unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (trade_no, app_id, place)';
const IS_WANTED = 'o.trade_no = wanted.trade_no AND o.app_id = wanted.app_id';
/** The version of an order's row, null without one, and the head of its chain. No two servers start at one microsecond. */
const VERSION_AND_HEAD = `o.xmin::text || ' ' || pg_postmaster_start_time() AS row_version,
  (SELECT head_number FROM chain_cursors c WHERE c.chain = o.chain) AS head`;

const FIND_ORDERS = `
  SELECT found.* FROM ${WANTED}
  LEFT JOIN LATERAL (${detailAnd(`, ${VERSION_AND_HEAD}`)} WHERE ${IS_WANTED}) AS found ON true
  ORDER BY place`;

const READ_PROGRESS = `
  SELECT ${VERSION_AND_HEAD}, ${NEWEST_BLOCK} FROM ${WANTED} LEFT JOIN orders o ON ${IS_WANTED}
  ORDER BY place`;

/** An order of whichever app. */
export async function readOrder(reader: Reader, tradeNo: string): Promise<OrderRecord | null> {
  const [row] = await reader.read<OrderRow>('SELECT * FROM orders WHERE trade_no = $1', [tradeNo]);
  return row === undefined ? null : toRecord(row);
}

/** An order of this app by the merchant's own number. */
export async function findOrderByOutTradeNo(
  reader: Reader,
  appId: string,
  outTradeNo: string,
): Promise<OrderDetail | null> {
  const [found = null] = await findOrdersByOutTradeNo(reader, [{ appId, outTradeNo }]);
  return found;
}

/** The same of many, each with its own app. */
export async function findOrdersByOutTradeNo(
  reader: Reader,
  wanted: readonly { readonly appId: string; readonly outTradeNo: string }[],
): Promise<readonly (OrderDetail | null)[]> {
  if (wanted.length === 0) return [];
  const rows = await reader.read<{ readonly trade_no: null } | DetailRow>(FIND_BY_OUT_TRADE_NO, [
    wanted.map(({ appId }) => appId),
    wanted.map(({ outTradeNo }) => outTradeNo),
  ]);
  return rows.map((row) => (row.trade_no === null ? null : toDetail(row)));
}

const FIND_BY_OUT_TRADE_NO = `
  SELECT found.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (app_id, out_trade_no, place)
  LEFT JOIN LATERAL (${DETAIL} WHERE o.trade_no = (
    SELECT k.trade_no FROM order_keys k WHERE k.app_id = wanted.app_id AND k.out_trade_no = wanted.out_trade_no
  )) AS found ON true
  ORDER BY place`;

/** An order that a transition is about to change, with the address for its webhook. */
export interface LockedOrder extends OrderRecord {
  /** The order's own callback_url, else the app's as it is now; null where neither is set. */
  readonly deliverTo: string | null;
}

interface LockedRow extends OrderRow {
  readonly deliver_to: string | null;
}

const LOCKED = `
  SELECT o.*, coalesce(o.callback_url, a.callback_url) AS deliver_to FROM orders o JOIN apps a USING (app_id)`;

/**
 * Orders by trade_no, locked in one order so that two flows cannot deadlock. The ids are joined, because a comparison
 * with a list of ids would be looked up in every partition.
 */
export async function lockOrders(
  tx: Tx,
  tradeNos: readonly string[],
): Promise<ReadonlyMap<string, LockedOrder>> {
  if (tradeNos.length === 0) return new Map();
  const rows = await tx.read<LockedRow>(
    `${LOCKED} JOIN unnest($1::text[]) AS wanted (trade_no) USING (trade_no) ORDER BY o.trade_no FOR UPDATE OF o`,
    [tradeNos],
  );
  return new Map(rows.map((row) => [row.trade_no, toLocked(row)]));
}

/** How far a chain has come, in Unix seconds. An order whose expiry is before that may time out. */
export interface PassedTimes {
  readonly finalTime: number;
  /** The time for orders in the native currency; never later than `finalTime`. */
  readonly native: { readonly currencyId: number; readonly time: number };
}

/**
 * The chains with an unpaid order whose expiry is before the final block. An order in the native currency may still have to
 * wait for the search of internal transactions. The first by expiry is asked for, because the planner reads the whole table
 * for any one: it takes a third of the unpaid orders for expired.
 */
export async function readChainsToExpire(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await reader.read<{ readonly chain: string }>(
    `SELECT c.chain FROM chain_cursors c CROSS JOIN LATERAL (
       SELECT FROM orders o
       WHERE o.chain = c.chain AND o.status = 'TO-BE-PAID' AND o.time_expire < c.final_time
       ORDER BY o.time_expire LIMIT 1) AS passed`,
    [],
  );
  return new Set(rows.map(({ chain }) => chain));
}

/** At most `limit` unpaid orders of a chain whose expiry has passed, locked, busy ones skipped. */
export async function lockOrdersToExpire(
  tx: Tx,
  chain: string,
  { finalTime, native }: PassedTimes,
  limit: number,
): Promise<readonly LockedOrder[]> {
  const rows = await tx.read<LockedRow>(
    `${LOCKED} WHERE o.chain = $1 AND o.status = 'TO-BE-PAID' AND o.time_expire < $2
       AND (o.currency_id <> $3 OR o.time_expire < $4)
     ORDER BY o.time_expire, o.trade_no LIMIT $5 FOR UPDATE OF o SKIP LOCKED`,
    [chain, finalTime, native.currencyId, native.time, limit],
  );
  return rows.map(toLocked);
}

/** Writes status, collected sum and newest transfer of orders that were locked before. */
export async function updateOrders(tx: Tx, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return;
  await tx.write(
    `UPDATE orders SET status = u.status, collected = u.collected, last_tx_id = u.last_tx_id
     FROM unnest($1::text[], $2::text[], $3::numeric[], $4::text[]) AS u (trade_no, status, collected, last_tx_id)
     WHERE orders.trade_no = u.trade_no`,
    [
      orders.map((order) => order.tradeNo),
      orders.map((order) => order.status),
      orders.map((order) => toNumeric(order.collected)),
      orders.map((order) => order.lastTxId),
    ],
  );
}

function toRecord(row: OrderRow): OrderRecord {
  return {
    tradeNo: row.trade_no,
    appId: row.app_id,
    currencyId: row.currency_id,
    due: fromNumeric(row.currency_id, row.due),
    collected: fromNumeric(row.currency_id, row.collected),
    tolerancePpm: BigInt(row.tolerance_ppm),
    lastTxId: row.last_tx_id,
    status: row.status,
    createTime: row.create_time,
    timeExpire: row.time_expire,
    outTradeNo: row.out_trade_no,
    inputHash: row.input_hash,
    mode: row.mode,
    chain: row.chain,
    address: row.address,
    fiatName: row.fiat_name,
    fiatAmount: row.fiat_amount,
    ...quoteOf(row),
    callbackUrl: row.callback_url,
    redirectUrl: row.redirect_url,
  };
}

function toLocked(row: LockedRow): LockedOrder {
  return { ...toRecord(row), deliverTo: row.deliver_to };
}

export function toDetail(row: DetailRow): OrderDetail {
  return {
    ...toRecord(row),
    addressIndex: row.derivation_index,
    accountPublicKey: row.account_public_key,
    newestBlock: row.newest_block,
  };
}

function toProgress(row: ProgressRow): OrderProgress {
  return { rowVersion: row.row_version, newestBlock: row.newest_block, head: row.head };
}

function namesOf(wanted: readonly OrderName[]) {
  return [wanted.map(({ tradeNo }) => tradeNo), wanted.map(({ appId }) => appId)];
}

function quoteOf({ quote }: OrderRow): Pick<OrderRecord, 'quote' | 'isQuoteDamaged'> {
  const read = quote === null ? null : quoteFrom(quote);
  return { quote: read, isQuoteDamaged: quote !== null && read === null };
}
