// The orders of an app, newest first, in pages.
import type { Amount } from '@ducat/core/money/amount';
import type { OrderStatus } from '@ducat/core/order/order';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';

/** An order as a list shows it. */
export interface ListedOrder {
  /** Time-ordered; what the next page continues behind. */
  readonly tradeNo: string;
  readonly outTradeNo: string;
  readonly status: OrderStatus;
  readonly chain: string;
  readonly due: Amount;
  readonly collected: Amount;
  /** Unix seconds, as `timeExpire`. */
  readonly createTime: number;
  readonly timeExpire: number;
}

export interface OrderPage {
  readonly appId: string;
  /** Only orders older than the one with this trade_no. */
  readonly before?: string | undefined;
  /** At most this many, and never more than `MAX_LISTED_ORDERS`. */
  readonly limit: number;
}

/** The longest page of orders. */
const MAX_LISTED_ORDERS = 1_000;

interface Row extends Omit<ListedOrder, 'due' | 'collected'> {
  readonly currencyId: number;
  readonly due: string;
  readonly collected: string;
}

export async function listOrders(
  reader: Reader,
  { appId, before, limit }: OrderPage,
): Promise<readonly ListedOrder[]> {
  const rows = await reader.read<Row>(before === undefined ? ORDER_LIST.first : ORDER_LIST.next, [
    appId,
    Math.min(limit, MAX_LISTED_ORDERS),
    ...(before === undefined ? [] : [before]),
  ]);
  return rows.map(({ currencyId, due, collected, ...row }) => ({
    ...row,
    due: fromNumeric(currencyId, due),
    collected: fromNumeric(currencyId, collected),
  }));
}

const pageOf = (condition: string) => `
  SELECT trade_no AS "tradeNo", out_trade_no AS "outTradeNo", status, chain, currency_id AS "currencyId", due, collected,
    create_time AS "createTime", time_expire AS "timeExpire"
  FROM orders WHERE app_id BETWEEN $1 AND $1${condition} ORDER BY app_id DESC, trade_no DESC LIMIT $2`;

/**
 * The statements of the first page and of a later one. Their parameters are the app, the limit, and the trade_no that a
 * later page begins behind. The app is compared with BETWEEN, because for an equality the planner drops it from ORDER
 * BY. The planner may then walk the primary key from the newest order on, past those of all other apps, which takes
 * very long if the app has had no order for a year.
 */
export const ORDER_LIST = { first: pageOf(''), next: pageOf(' AND trade_no < $3') };
