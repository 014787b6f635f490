// Sums of what was signed in the last hour and day, by asset, as far as the limits need them.
import type { Limits } from './policy.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Which limit an amount would break. */
export type LimitName = 'transaction' | 'hour' | 'day';

interface Spending {
  readonly atMs: number;
  readonly baseUnits: bigint;
}

/** Sums over sliding windows. Times never go back, except through `notAfter`. */
export interface Spendings {
  /** The first limit that `baseUnits` more at `nowMs` would break; null where it fits. */
  broken(asset: string, baseUnits: bigint, limits: Limits, nowMs: number): LimitName | null;
  add(asset: string, baseUnits: bigint, atMs: number): void;
  /** Corrects for a clock that ran ahead: amounts with a time after `nowMs` count as of `nowMs`. */
  notAfter(nowMs: number): void;
}

export function createSpendings(): Spendings {
  const byAsset = new Map<string, Spending[]>();
  const sumSince = (asset: string, sinceMs: number): bigint =>
    (byAsset.get(asset) ?? []).reduce(
      (sum, { atMs, baseUnits }) => (atMs > sinceMs ? sum + baseUnits : sum),
      0n,
    );
  return {
    broken(asset, baseUnits, limits, nowMs) {
      if (baseUnits > limits.perTransaction) return 'transaction';
      if (sumSince(asset, nowMs - hourMs) + baseUnits > limits.perHour) return 'hour';
      return sumSince(asset, nowMs - dayMs) + baseUnits > limits.perDay ? 'day' : null;
    },
    notAfter(nowMs) {
      for (const [asset, spendings] of byAsset) {
        byAsset.set(
          asset,
          spendings.map((each) => ({ ...each, atMs: Math.min(each.atMs, nowMs) })),
        );
      }
    },
    add(asset, baseUnits, atMs) {
      if (baseUnits === 0n) return;
      const young = (byAsset.get(asset) ?? []).filter((spending) => spending.atMs > atMs - dayMs);
      byAsset.set(asset, [...young, { atMs, baseUnits }]);
    },
  };
}
