// The refund of an order that was paid or timed out, as a payout of its app: a part or all, never more than it collected.
import type { Currency } from '../chain/currency.ts';
import { type Amount, compare, isPositive, subtract, zero } from '../money/amount.ts';
import { formatAmount } from '../money/decimal.ts';
import type { Order } from '../order/order.ts';
import { fieldInvalid } from '../refusal.ts';
import { accept, type Result, refuse } from '../result.ts';

/** An order as the books have it under its lock. */
export interface RefundableOrder extends Pick<Order, 'status' | 'collected'> {
  /** What refunds send or sent back: those of the order, and those of its late and extra receipts. */
  readonly sentBack: Amount;
}

/** What an order collected and has not sent back. */
export function leftOf({ collected, sentBack }: Pick<RefundableOrder, 'collected' | 'sentBack'>): Amount {
  const left = subtract(collected, sentBack);
  return isPositive(left) ? left : zero(collected.currencyId);
}

/** What a refund may send back at the most. */
export function refundableOf(order: RefundableOrder): Amount {
  return isClosed(order) ? leftOf(order) : zero(order.collected.currencyId);
}

/** Whether a payout of this amount may send the order back. */
export function checkOrderRefund(order: RefundableOrder, currency: Currency, amount: Amount): Result<null> {
  // mark: refunds-of-closed-orders
  if (!isClosed(order)) {
    const message = 'the order may still be paid: it is refunded once it is PAID or has timed out';
    return refuse({ code: 'payout-conflict', message });
  }
  if (order.collected.currencyId !== amount.currencyId) {
    return refuse(fieldInvalid('currency_id', 'must be the currency of the order'));
  }
  const left = leftOf(order);
  // mark: refunds-within-the-order
  if (compare(amount, left) <= 0) return accept(null);
  const most = `${formatAmount(left, currency)} ${currency.symbol}`;
  return refuse(fieldInvalid('amount', `must be at most ${most}: the rest of the order went back already`));
}

/** Whether no payment changes the state any more. Too little or too late money of a timed-out order was credited as well. */
function isClosed({ status }: Pick<RefundableOrder, 'status'>): boolean {
  return status !== 'TO-BE-PAID';
}
