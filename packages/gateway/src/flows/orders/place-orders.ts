// Opens orders: each takes an address and writes its row, or finds the order that already stands.
import { assert } from '@ducat/core/assert';
import { type HostedTerms, insertHosted } from '../../db/tables/orders/hosted-orders.ts';
import { type InsertedOrder, insertOrders, type NewOrder } from '../../db/tables/orders/new-orders.ts';
import { findOrderByOutTradeNo, type OrderDetail } from '../../db/tables/orders/orders.ts';
import { outOfSight, type Reader, type Transact, type Tx } from '../../db/postgres/tx.ts';

export interface OrderToPlace {
  readonly order: NewOrder;
  /** Null for an order that its merchant priced in one currency. */
  readonly hosted: HostedTerms | null;
}

export type PlacedOrder =
  | { readonly outcome: 'created'; readonly order: OrderDetail }
  /** The app used this out_trade_no before; the caller compares what was asked. */
  | { readonly outcome: 'exists'; readonly order: OrderDetail }
  | { readonly outcome: 'pool-empty' };

// ~ tour 5/15: one statement takes an address and writes the order.
// → packages/gateway/src/roles/watcher/step.ts
/**
 * One statement writes all of them, and one more for each hosted order. The unique out_trade_no decides between parallel
 * requests: the loser's address stays in the pool, and the loser reads what the winner wrote.
 */
export async function placeOrders(
  transact: Transact,
  reader: Reader,
  wanted: readonly OrderToPlace[],
): Promise<readonly PlacedOrder[]> {
  const firsts = new Map<string, OrderToPlace>();
  for (const one of wanted) if (!firsts.has(keyOf(one.order))) firsts.set(keyOf(one.order), one);
  const asked = [...firsts.values()];
  const isPlain = asked.every(({ hosted }) => hosted === null);
  const inserted = await transact((tx) => insertAll(tx, asked), isPlain ? 'one-statement' : undefined);
  const placed = new Map<string, PlacedOrder>();
  for (const [place, { order }] of asked.entries())
    placed.set(keyOf(order), await placedOf(reader, order, inserted[place]));
  return wanted.map((one) => {
    const found = placed.get(keyOf(one.order));
    assert(found !== undefined, 'an order was neither written nor found');
    const isAnothers = found.outcome === 'created' && found.order.tradeNo !== one.order.tradeNo;
    return isAnothers ? { outcome: 'exists', order: found.order } : found;
  });
}

function keyOf({ appId, outTradeNo }: NewOrder): string {
  return `${appId} ${outTradeNo}`;
}

async function insertAll(tx: Tx, asked: readonly OrderToPlace[]): Promise<readonly InsertedOrder[]> {
  const inserted = await insertOrders(
    tx,
    asked.map(({ order }) => order),
  );
  for (const [place, { order, hosted }] of asked.entries())
    if (hosted !== null && typeof inserted[place] === 'object') await insertHosted(tx, order.tradeNo, hosted);
  return inserted;
}

async function placedOf(
  reader: Reader,
  { appId, outTradeNo }: NewOrder,
  inserted: InsertedOrder | undefined,
): Promise<PlacedOrder> {
  if (inserted === 'pool-empty') return { outcome: 'pool-empty' };
  if (typeof inserted === 'object') return { outcome: 'created', order: inserted };
  // mark: one-order-per-out-trade-no
  const standing = await findOrderByOutTradeNo(reader, appId, outTradeNo);
  if (standing === null) throw outOfSight(`order ${outTradeNo}, whose number is taken,`);
  return { outcome: 'exists', order: standing };
}
