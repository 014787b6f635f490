// Whether what a deposit address holds is worth moving now: its value, its time, its cost, and the day's budget.
import { type Amount, add, compare, isPositive } from '../money/amount.ts';
import type { CollectionPolicy } from './policy.ts';

/** What one address holds of one currency. */
export interface Held {
  /** Final by the books, less what is left behind on purpose. */
  readonly movable: Amount;
  /** In units of 10^-6 USDT; null where that is unknown. */
  readonly value: bigint | null;
  readonly sinceMs: number;
  /** Whether a payout waits for this currency of this app: then neither threshold nor window counts. */
  readonly isDemanded: boolean;
  /** The app's own threshold, below which a holding stays; in units of 10^-6 USDT, 0 where the app has none. */
  readonly minOfApp: bigint;
}

export type Worth =
  /** Worth asking the chain what it would cost. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'empty' }
  /** Below the threshold. */
  | { readonly kind: 'small' }
  | { readonly kind: 'later'; readonly atMs: number; readonly reason: string | null };

const UNKNOWN_VALUE_MS = 15 * 60 * 1_000;

/** The decision that is made before a chain is asked for the cost. */
export function worthOf(held: Held, policy: CollectionPolicy, nowMs: number): Worth {
  const { minValue, windowMs, sponsored } = policy;
  if (!isPositive(held.movable)) return { kind: 'empty' };
  // mark: collection-needs-a-value
  if (held.value === null)
    return { kind: 'later', atMs: nowMs + UNKNOWN_VALUE_MS, reason: 'no source has a price for it' };
  if (held.isDemanded) return { kind: 'ask' };
  // A merchant may ask for a higher threshold than the operator's, and never for a lower one: the operator pays.
  const threshold = held.minOfApp > minValue ? held.minOfApp : minValue;
  // mark: small-holdings-stay
  if (held.value < threshold) return { kind: 'small' };
  const overMs = held.sinceMs + windowMs;
  // Holdings whose windows end together are moved by one sweep.
  const opensMs = sponsored && windowMs > 0 ? Math.ceil(overMs / windowMs) * windowMs : overMs;
  return opensMs > nowMs ? { kind: 'later', atMs: opensMs, reason: null } : { kind: 'ask' };
}

export interface Costs {
  /** The worth of what would be moved, in units of 10^-6 USDT. */
  readonly value: bigint;
  /** What moving it is expected to cost, in the native currency and in units of 10^-6 USDT. */
  readonly cost: Amount;
  readonly costValue: bigint;
  /** What the collections of the last 24 hours were expected to cost. */
  readonly spent: Amount;
}

/** `too-dear`: moving costs too large a part of the worth. `over-budget`: the day's budget does not cover the cost. */
export type CostVerdict = 'collect' | 'too-dear' | 'over-budget';

/** A waiting payout changes nothing here: a holding that costs more than it may is not moved for any purpose. */
export function decideCost({ value, cost, costValue, spent }: Costs, policy: CollectionPolicy): CostVerdict {
  // mark: never-dearer-than-it-may-be
  if (costValue * 1_000_000n > value * policy.maxCostPpm) return 'too-dear';
  // mark: collection-stays-in-its-budget
  return compare(add(spent, cost), policy.dailyBudget) > 0 ? 'over-budget' : 'collect';
}
