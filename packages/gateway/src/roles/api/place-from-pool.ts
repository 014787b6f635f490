// Places an order, filling the pool of addresses where it was found empty.
import type { HostedTerms } from '../../db/tables/orders/hosted-orders.ts';
import type { NewOrder, OrderDetail } from '../../db/tables/orders/orders.ts';
import { placeOrder } from '../../flows/orders/place-order.ts';
import type { Call } from './handler.ts';

/** Parallel requests may empty a pool again as soon as it was filled. */
const MAX_POOL_ROUNDS = 20;

/** The order as it stands afterwards: this one, or one that a parallel request wrote first. */
export async function placeFromPool(
  call: Call,
  order: NewOrder,
  hosted: HostedTerms | null,
): Promise<OrderDetail> {
  for (let round = 1; round <= MAX_POOL_ROUNDS; round++) {
    const created = await placeOrder(call.deps.transact, call.deps.reader, order, hosted);
    if (created.outcome !== 'pool-empty') return created.order;
    await call.fillPool(order.appId, order.family);
  }
  throw new Error(`the address pool of ${order.appId} stayed empty through ${MAX_POOL_ROUNDS} fillings`);
}
