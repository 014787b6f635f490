// How long the coin of the gas wallet lasts, when collecting goes on as it did.
import { type Amount, isPositive, share, timesIn } from '../money/amount.ts';

export const RUNWAY_DAYS = 7n;

/** Whole days; null where nothing was spent, so that nobody can say. `spent` is of the last `RUNWAY_DAYS`. */
export function runwayDays(held: Amount, spent: Amount): bigint | null {
  if (!isPositive(spent)) return null;
  if (!isPositive(held)) return 0n;
  const { part: forDays } = share(held, RUNWAY_DAYS * 1_000_000n, 'down');
  return timesIn(forDays, spent, 'down');
}
