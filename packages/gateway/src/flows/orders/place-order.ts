// Opens an order: takes an address, writes the row, or finds the order that already stands.
import {
  findOrderByOutTradeNo,
  insertOrder,
  type NewOrder,
  type OrderDetail,
} from '../../db/tables/orders/orders.ts';
import { type HostedTerms, insertHosted } from '../../db/tables/orders/hosted-orders.ts';
import { outOfSight, type Reader, type Transact, type Tx, violates } from '../../db/postgres/tx.ts';

export type PlacedOrder =
  | { readonly outcome: 'created'; readonly order: OrderDetail }
  /** The app used this out_trade_no before; the caller compares what was asked. */
  | { readonly outcome: 'exists'; readonly order: OrderDetail }
  | { readonly outcome: 'pool-empty' };

// ~ tour 5/15: one statement takes an address and writes the order.
// → packages/gateway/src/roles/watcher/step.ts
/**
 * One statement writes everything, and a second one what a hosted order has besides. The unique out_trade_no decides between parallel requests: the loser's
 * statement fails as a whole, so its address goes back to the pool, and it reads what the winner wrote.
 */
export async function placeOrder(
  transact: Transact,
  reader: Reader,
  order: NewOrder,
  hosted: HostedTerms | null = null,
): Promise<PlacedOrder> {
  try {
    const created =
      hosted === null
        ? await transact((tx) => insertOrder(tx, order), 'one-statement')
        : await transact((tx) => insertHostedOrder(tx, order, hosted));
    return created === null ? { outcome: 'pool-empty' } : { outcome: 'created', order: created };
  } catch (error) {
    // mark: one-order-per-out-trade-no
    if (!violates(error, 'order_keys_pkey')) throw error;
  }
  const standing = await findOrderByOutTradeNo(reader, order.appId, order.outTradeNo);
  if (standing === null) throw outOfSight(`order ${order.outTradeNo}, which broke a unique key,`);
  return { outcome: 'exists', order: standing };
}

async function insertHostedOrder(tx: Tx, order: NewOrder, hosted: HostedTerms): Promise<OrderDetail | null> {
  const created = await insertOrder(tx, order);
  if (created !== null) await insertHosted(tx, order.tradeNo, hosted);
  return created;
}
