// order/detail: one order of the calling app, in full.
import { accept, refuse } from '@ducat/core/result';
import type { Handler } from '../handler.ts';
import { presentDetail } from '../present.ts';

export const handleOrderDetail: Handler<'order-detail'> = async ({ app, deps, orders }, request) => {
  const order = await orders.find({ appId: app.appId, tradeNo: request.trade_no });
  // The same query finds neither another app's order nor an unknown one, so the two answers cannot differ.
  if (order === null)
    return refuse({ code: 'order-unknown', field: 'trade_no', message: 'trade_no is not known' });
  if (order.isQuoteDamaged)
    deps.logger.error({ trade_no: order.tradeNo }, 'the quote of an order cannot be read');
  const listing = deps.catalogue.ofTrade(order);
  return accept(presentDetail(order, listing, order.head, deps));
};
