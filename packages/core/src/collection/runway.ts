// How long the coin of the gas wallet lasts: in days, when spending goes on as it did, and in payouts at the prices of now.
import { type Amount, isPositive, share, timesIn, zero } from '../money/amount.ts';
import type { RunwayLimits } from './policy.ts';

export const RUNWAY_DAYS = 7n;

export interface GasRunway {
  /** Whole days; null where nothing was spent, so that there is no pace. */
  readonly days: bigint | null;
  /** Null where the cost of a payout is unknown or zero. */
  readonly payouts: bigint | null;
}

export interface GasUse {
  readonly held: Amount;
  /** Of the last `RUNWAY_DAYS`. */
  readonly spent: Amount;
  /** What one payout costs at the prices of now; null where that is unknown. */
  readonly perPayout: Amount | null;
}

export function gasRunway({ held, spent, perPayout }: GasUse): GasRunway {
  const left = isPositive(held) ? held : zero(held.currencyId);
  const { part: forDays } = share(left, RUNWAY_DAYS * 1_000_000n, 'down');
  const isCosting = perPayout !== null && isPositive(perPayout);
  return {
    days: isPositive(spent) ? timesIn(forDays, spent, 'down') : null,
    payouts: isCosting ? timesIn(left, perPayout, 'down') : null,
  };
}

/** An unknown runway is not too short. */
export function isRunwayShort({ days, payouts }: GasRunway, limits: RunwayLimits): boolean {
  return (days !== null && days < limits.days) || (payouts !== null && payouts < limits.payouts);
}
