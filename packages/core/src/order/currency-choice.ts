// Whether the payer of a hosted order may choose its currency now.
import type { Order } from './order.ts';

/** What the decision rests on. */
export interface ChoiceState {
  readonly order: Pick<Order, 'status' | 'timeExpire' | 'collected'>;
  /** What the merchant offers; null for everything that is on for the app. */
  readonly offered: readonly number[] | null;
  /** Choices that were made before. */
  readonly choices: number;
  /**
   * Whether a transfer to any address of the order was ever seen, in whatever currency. One that a reorg took away counts as
   * well, for good: any later block may include it again, and it counts for the order only in its own currency.
   */
  readonly hasTransfers: boolean;
}

export type ChoiceDecision =
  | 'allowed'
  /** The merchant does not offer this currency for this order. */
  | 'not-offered'
  /** Paid, timed out, or about to be. */
  | 'ended'
  /** Money is on its way, or may be again after a reorg, so currency and sum may not change any more. */
  | 'locked'
  | 'too-often';

/** Enough for every curious payer. A choice takes a fresh address only for a family of which the order has none. */
const MAX_CHOICES = 50;

/** `now` in Unix seconds. A choice never moves the expiry. */
export function decideChoice(
  { order, offered, choices, hasTransfers }: ChoiceState,
  currencyId: number,
  now: number,
): ChoiceDecision {
  if (offered !== null && !offered.includes(currencyId)) return 'not-offered';
  if (order.status !== 'TO-BE-PAID' || now >= order.timeExpire) return 'ended';
  // mark: choice-locked-by-a-transfer
  if (hasTransfers) return 'locked';
  return choices >= MAX_CHOICES ? 'too-often' : 'allowed';
}
