// A person accepts a late order as paid: then, and only then, one PAID webhook follows (decision B11).
import { type Acceptance, acceptLate as decide } from '@ducat/core/order/accept-late';
import type { Order } from '@ducat/core/order/order';
import type { Tx } from '../../db/postgres/tx.ts';
import { eventRow, type EventWriting } from '../../db/tables/deliveries/event-row.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';
import { insertAcceptance, readNewestPayment } from '../../db/tables/orders/order-acceptances.ts';
import { lockOrders, updateOrders } from '../../db/tables/orders/orders.ts';
import { readSentBack } from '../../db/tables/payouts/order-refunds.ts';

export interface AcceptLate extends EventWriting {
  readonly tradeNo: string;
  /** The app whose order it must be; absent for the operator, who may accept any app's. */
  readonly appId?: string;
  /** Who accepts the order, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
}

export type AcceptedLate =
  | { readonly outcome: 'accepted'; readonly order: Order }
  | Exclude<Acceptance, { readonly outcome: 'accepted' }>
  /** There is no such order, or it is another app's. */
  | { readonly outcome: 'unknown-order' };

/** Books nothing, because late money was credited when it became final. An acceptance cannot be undone. */
export async function acceptLate(tx: Tx, input: AcceptLate): Promise<AcceptedLate> {
  const { tradeNo, appId, by, reason, nowMs } = input;
  const order = (await lockOrders(tx, [tradeNo])).get(tradeNo);
  if (order === undefined || (appId !== undefined && order.appId !== appId)) {
    return { outcome: 'unknown-order' };
  }
  // mark: accepted-by-what-stays
  const acceptance = decide(
    order,
    await readNewestPayment(tx, tradeNo),
    await readSentBack(tx, tradeNo, order.currencyId),
  );
  if (acceptance.outcome !== 'accepted') return acceptance;
  await insertAcceptance(tx, { tradeNo, by, reason, atMs: nowMs });
  await updateOrders(tx, [acceptance.order]);
  await insertEvents(
    tx,
    acceptance.events.map((event) => eventRow(event, order, input)),
  );
  return { outcome: 'accepted', order: acceptance.order };
}
