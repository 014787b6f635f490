// An event of an order as the outbox keeps it, its body fixed.
import { type EncodePaymentEvent, isFinalEvent, type PaymentEvent } from '@ducat/core/webhook/event';
import type { LockedOrder } from '../orders/orders.ts';
import type { NewEvent } from './outbox.ts';

export interface EventWriting {
  readonly encode: EncodePaymentEvent;
  readonly newEventId: () => string;
  readonly nowMs: number;
}

/** The outbox row for an event of this order; without an address to call it is kept but never sent. */
export function eventRow(
  event: PaymentEvent,
  order: LockedOrder,
  { encode, newEventId, nowMs }: EventWriting,
): NewEvent {
  const body = encode(event, {
    appId: order.appId,
    outTradeNo: order.outTradeNo,
    chain: order.chain,
    currencyId: order.currencyId,
    due: order.due,
    fiatAmount: order.fiatAmount ?? '',
    redirectUrl: order.redirectUrl ?? '',
  });
  return {
    eventId: newEventId(),
    appId: order.appId,
    type: event.type,
    tradeNo: order.tradeNo,
    status: event.status,
    final: isFinalEvent(event),
    body,
    url: order.deliverTo,
    createdAtMs: nowMs,
  };
}
