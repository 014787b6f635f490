// What it does to an order that a person accepts it as paid although money came too late (decision B11).
import type { Transfer } from '../chain/transfer.ts';
import { type Amount, subtract } from '../money/amount.ts';
import type { PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';
import { isPaidInFull, paymentEvent } from './transition.ts';

export type Acceptance =
  | { readonly outcome: 'accepted'; readonly order: Order; readonly events: readonly PaymentEvent[] }
  /** It can still be paid, or times out first. */
  | { readonly outcome: 'still-open' }
  | { readonly outcome: 'already-paid' }
  /** Late and timely money together, less what was sent back, are less than what is due, tolerance included. */
  | { readonly outcome: 'short' };

/**
 * Only the time may be forgiven: the sum has to be there. `newest` is the youngest final transfer that counts for the
 * order and stays, and the one that the webhook names; null where nothing came. `sentBack` is what goes back of the order
 * and of its receipts: the webhook names the sum that stays.
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
