// An order of a list in the words of the contract.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { isPaidInFull } from '@ducat/core/order/transition';
import type { OrderListRow } from '../../../db/reports/dashboard/orders/order-list.ts';
import type { Texts } from '../texts.ts';

export function presentOrder(order: OrderListRow, texts: Texts): ResponseOf<'orders.list'>['orders'][number] {
  const { eventState, attempts, fiatName, fiatAmount } = order;
  return {
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    app_id: order.appId,
    mode: order.mode,
    status: order.status,
    ...texts.money(order.due),
    collected: texts.amount(order.collected),
    is_paid_in_full: isPaidInFull(order),
    fiat: fiatName === null || fiatAmount === null ? null : { name: fiatName, amount: fiatAmount },
    create_time: order.createTime,
    time_expire: order.timeExpire,
    webhook: eventState === null ? null : { state: eventState, attempts: attempts ?? 0 },
  };
}
