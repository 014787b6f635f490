// How much coin the gas wallet sends to a wallet that pays out, so that its payouts can pay their network fees.
import { add, type Amount, compare, isPositive, subtract, times, zero } from '../money/amount.ts';

/** A wallet of an app with open payouts, in the native currency. */
export interface PayingWallet {
  /** Final, by the books; negative where a collection was reversed and what was paid out of it stands. */
  readonly held: Amount;
  /** Payouts that have not ended: each takes its network fee from this wallet. */
  readonly openPayouts: number;
  /** The sum of these payouts that are in the coin itself. */
  readonly openCoin: Amount;
  /** Whether deposit addresses of its app hold coin that is to be collected. */
  readonly isCollecting: boolean;
  /** The most that one payout can cost at the prices of now. */
  readonly perPayout: Amount;
}

export interface TopUpRules {
  /** A top-up leaves coin for so many payouts beyond the open ones. It is due once less than half of that coin is left. */
  readonly payouts: bigint;
  /** What the day's budget has left. */
  readonly budgetLeft: Amount;
}

export type TopUp =
  | { readonly kind: 'enough' }
  | { readonly kind: 'send'; readonly amount: Amount }
  /** The day's budget has no room even for one payout. */
  | { readonly kind: 'over-budget' };

/**
 * The gas wallet pays fees, never what a payout moves. Coin that open payouts lack is not sent while collection is bringing
 * coin. Afterwards it is sent, because the fees of collection took it. Where more is missing than a whole top-up, the coin
 * itself is elsewhere, and its payouts wait for it.
 */
export function planTopUp(wallet: PayingWallet, { payouts, budgetLeft }: TopUpRules): TopUp {
  const { openPayouts, openCoin, isCollecting, perPayout } = wallet;
  // Less than nothing is coin that went elsewhere, such as a collection that was reversed. It is no fee.
  const held = isPositive(wallet.held) ? wallet.held : zero(wallet.held.currencyId);
  const missing = subtract(openCoin, held);
  // mark: top-ups-are-for-fees
  const waitsForCoin =
    isPositive(missing) && (isCollecting || compare(missing, times(perPayout, payouts)) > 0);
  const owed = waitsForCoin ? zero(held.currencyId) : openCoin;
  const free = subtract(held, add(owed, times(perPayout, BigInt(openPayouts))));
  // mark: topped-up-only-below-half
  if (compare(free, times(perPayout, (payouts + 1n) / 2n)) >= 0) return { kind: 'enough' };
  const wanted = subtract(times(perPayout, payouts), free);
  // mark: top-ups-stay-in-their-budget
  const amount = lesser(wanted, budgetLeft);
  const isOfUse = isPositive(amount) && compare(amount, lesser(wanted, perPayout)) >= 0;
  return isOfUse ? { kind: 'send', amount } : { kind: 'over-budget' };
}

function lesser(one: Amount, other: Amount): Amount {
  return compare(one, other) < 0 ? one : other;
}
