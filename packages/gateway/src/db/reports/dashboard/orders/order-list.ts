// The orders of several apps, newest first, in pages. The cost of a page grows neither with the table nor with the filter.
import type { Amount } from '@ducat/core/money/amount';
import type { OrderStatus } from '@ducat/core/order/order';
import type { Reader, SqlValue } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import type { EventState } from '../../../tables/deliveries/outbox.ts';
import { oneOf } from '../../../tables/one-of.ts';
import { rowsLookedAt } from '../rows-looked-at.ts';

export interface OrderListRow {
  readonly tradeNo: string;
  readonly outTradeNo: string;
  readonly appId: string;
  readonly mode: 'NATIVE' | 'HOSTED';
  readonly status: OrderStatus;
  readonly currencyId: number;
  readonly due: Amount;
  readonly collected: Amount;
  readonly tolerancePpm: bigint;
  readonly fiatName: string | null;
  readonly fiatAmount: string | null;
  /** Unix seconds, as `timeExpire`. */
  readonly createTime: number;
  readonly timeExpire: number;
  /** The state of the newest event. */
  readonly eventState: EventState | null;
  readonly attempts: number | null;
}

export interface OrderFilter {
  readonly appIds: readonly string[];
  readonly status?: OrderStatus | undefined;
  /** Only orders that timed out and are paid in full by core's `isPaidInFull`. */
  readonly isLate?: boolean | undefined;
  readonly currencyId?: number | undefined;
  /** Only orders before this number, and from the number `from` on. */
  readonly before: string;
  readonly from: string;
  readonly limit: number;
}

export interface OrderListPage {
  readonly orders: readonly OrderListRow[];
  /** Set if the page ended before it was full: orders from this one on were searched, older ones were not. */
  readonly searchedTo: string | null;
}

interface Row extends Omit<OrderListRow, 'due' | 'collected' | 'tolerancePpm'> {
  readonly tolerance: number;
  readonly due: string;
  readonly collected: string;
  readonly floor: string | null;
}

type NoRow = { readonly [Key in keyof Row]: null } & { readonly floor: string | null };

export async function listMerchantOrders(reader: Reader, filter: OrderFilter): Promise<OrderListPage> {
  const { sql, values } = orderListOf(filter);
  const rows = await reader.read<Row | NoRow>(sql, values);
  const found = rows.filter((row): row is Row => row.tradeNo !== null);
  const isFull = found.length >= filter.limit;
  return { orders: found.map(toOrder), searchedTo: isFull ? null : (rows[0]?.floor ?? null) };
}

function toOrder({ due, collected, tolerance, floor: _floor, ...row }: Row): OrderListRow {
  return {
    ...row,
    due: fromNumeric(row.currencyId, due),
    collected: fromNumeric(row.currencyId, collected),
    tolerancePpm: BigInt(tolerance),
  };
}

/**
 * The statement. Each app is searched by its own index, until it has filled a page or a bounded number of rows was
 * read. The page ends at the newest place where the search of an app stopped without filling a page.
 */
function orderListOf(filter: OrderFilter): {
  readonly sql: string;
  readonly values: readonly SqlValue[];
} {
  const { appIds, status, isLate = false, currencyId, before, from, limit } = filter;
  const values: SqlValue[] = [appIds, before, from, limit];
  const parameter = (value: SqlValue) => `$${values.push(value)}`;
  // Open and late orders have an index each. The statement names the status as the index does.
  const indexed = isLate
    ? `AND status = 'TIME-OUT' AND collected > 0`
    : status === 'TO-BE-PAID'
      ? `AND status = 'TO-BE-PAID'`
      : '';
  const rest = ['true'];
  if (isLate) rest.push('collected >= due - div(due * tolerance_ppm, 1000000)');
  if (indexed === '' && status !== undefined) rest.push(`status = ${parameter(status)}`);
  if (currencyId !== undefined) rest.push(`currency_id = ${parameter(currencyId)}`);
  const depth = rest.length === 1 ? limit : rowsLookedAt({ lists: appIds.length, limit });
  const depthParameter = parameter(depth);
  const span = (owner: string) =>
    `${oneOf('app_id', owner)} AND trade_no < $2 AND trade_no >= $3 ${indexed} ORDER BY app_id DESC, trade_no DESC`;
  // Without a filter, an app that did not fill the page has no more orders.
  const floor =
    rest.length === 1
      ? 'SELECT NULL::text AS floor'
      : `
      SELECT max(trade_no) AS floor FROM unnest($1::text[]) AS a (id) CROSS JOIN LATERAL (
        SELECT trade_no FROM orders WHERE ${span('a.id')} OFFSET ${depthParameter} - 1 LIMIT 1) AS last_looked_at
      WHERE (SELECT count(*) FROM found WHERE app_id = a.id) < $4`;
  const sql = `
    WITH found AS MATERIALIZED (
      SELECT o.* FROM unnest($1::text[]) AS a (id) CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT trade_no, app_id, out_trade_no, mode, status, currency_id, due, collected, fiat_name, fiat_amount,
            create_time, time_expire, tolerance_ppm
          FROM orders WHERE ${span('a.id')} LIMIT ${depthParameter}) AS looked
        WHERE ${rest.join(' AND ')} ORDER BY app_id DESC, trade_no DESC LIMIT $4) AS o
    ), deepest AS (${floor})
    SELECT p.trade_no AS "tradeNo", p.out_trade_no AS "outTradeNo", p.app_id AS "appId", p.mode, p.status,
      p.currency_id AS "currencyId", p.due, p.collected, p.fiat_name AS "fiatName", p.fiat_amount AS "fiatAmount",
      p.create_time AS "createTime", p.time_expire AS "timeExpire", p.tolerance_ppm AS tolerance, e.state AS "eventState",
      e.attempts, deepest.floor
    FROM deepest LEFT JOIN LATERAL (
        SELECT * FROM found WHERE trade_no >= coalesce(deepest.floor, '')
        ORDER BY trade_no DESC LIMIT $4) AS p ON true
      LEFT JOIN LATERAL (
        SELECT state, attempts FROM (
          (SELECT state, attempts, sequence FROM events WHERE trade_no = p.trade_no ORDER BY sequence DESC LIMIT 1)
          UNION ALL
          (SELECT state, attempts, sequence FROM archived_events WHERE trade_no = p.trade_no
           ORDER BY sequence DESC LIMIT 1)) AS either
        ORDER BY sequence DESC LIMIT 1) AS e ON true
    ORDER BY p.trade_no DESC`;
  return { sql, values };
}
