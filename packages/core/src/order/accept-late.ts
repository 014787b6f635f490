// What happens to an order when a person accepts it as paid although money came too late (decision B11).
import type { Transfer } from '../chain/transfer.ts';
import { type Amount, subtract } from '../money/amount.ts';
import type { PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';
import { isPaidInFull, paymentEvent } from './transition.ts';

export type Acceptance =
  | { readonly outcome: 'accepted'; readonly order: Order; readonly events: readonly PaymentEvent[] }
  /** The order can still be paid, or has to time out first. */
  | { readonly outcome: 'still-open' }
  | { readonly outcome: 'already-paid' }
  /** Late and timely money together, less what was sent back, are less than what is due, tolerance included. */
  | { readonly outcome: 'short' };

/**
 * A person may forgive that money came late, but not that it is too little. `newest` is the youngest final transfer that
 * counts for the order and was not sent back; the webhook names it. It is null where nothing came. `sentBack` is the sum of
 * the refunds of the order and of its receipts; the webhook names the sum that stays.
 */
export function acceptLate(
  order: Order,
  newest: Pick<Transfer, 'txId' | 'block'> | null,
  sentBack: Amount,
): Acceptance {
  if (order.status === 'TO-BE-PAID') return { outcome: 'still-open' };
  // mark: accepted-once
  if (order.status === 'PAID') return { outcome: 'already-paid' };
  const kept = subtract(order.collected, sentBack);
  if (newest === null || !isPaidInFull({ ...order, collected: kept })) return { outcome: 'short' };
  const after: Order = { ...order, status: 'PAID' };
  return { outcome: 'accepted', order: after, events: [paymentEvent({ ...after, collected: kept }, newest)] };
}
