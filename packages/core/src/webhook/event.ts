// What a merchant is sent: the event, and how its body is fixed when it is written.
import type { Amount } from '../money/amount.ts';
import type { OrderStatus } from '../order/order.ts';

/** The state of an order changed in a way that its merchant has to know of. */
export interface PaymentEvent {
  readonly type: 'PAYMENT';
  readonly tradeNo: string;
  readonly status: OrderStatus;
  readonly collected: Amount;
  /** The transfer that caused the event; for a TIME-OUT the newest that counted before, "" where there was none. */
  readonly txId: string;
  /** Unix seconds: the block's time, for a TIME-OUT the order's expiry. */
  readonly time: number;
}

/** A final event may overtake an unfinished one of the same order (decision E5). */
export function isFinalEvent(event: Pick<PaymentEvent, 'status'>): boolean {
  return event.status !== 'TO-BE-PAID';
}

/** What the wire's body says beside the event: the order it is about. */
export interface PaymentEventOrder {
  readonly appId: string;
  readonly outTradeNo: string;
  readonly chain: string;
  readonly currencyId: number;
  readonly due: Amount;
  /** As the merchant gave it, "" when there was none. */
  readonly fiatAmount: string;
  readonly redirectUrl: string;
}

/**
 * Turns an event into the bytes that every attempt sends. Handed into the flows that write events, because the
 * wire's words belong to another room, and what is sent must be fixed in the transaction that made it true.
 */
export type EncodePaymentEvent = (event: PaymentEvent, order: PaymentEventOrder) => string;

/** A payout ended in a way that its merchant has to know of. Always final, one of each payout. */
export interface TransferEvent {
  readonly type: 'TRANSFER';
  readonly tradeNo: string;
  readonly status: 'PAID' | 'FAIL';
  /** The transaction that paid; for a FAIL the one that proves it, "" where none does. */
  readonly txId: string;
  /** Unix seconds of the block that the outcome rests on. */
  readonly time: number;
}

/** What the wire's body says beside the event: the payout it is about. */
export interface TransferEventPayout {
  readonly appId: string;
  readonly chain: string;
  readonly currencyId: number;
  readonly amount: Amount;
}

/** As `EncodePaymentEvent`, for payouts. */
export type EncodeTransferEvent = (event: TransferEvent, payout: TransferEventPayout) => string;
