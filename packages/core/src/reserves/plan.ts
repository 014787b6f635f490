// Which balances are compared next: those that changed soon after the change, all others in rounds that end in time.
import type { ChainFamily } from '../chain/chain.ts';
import type { CurrencyId } from '../money/amount.ts';

/**
 * How many addresses one call answers for. EVM: 5 million gas and 20 KB, where the smallest common gas limit is 10 million.
 * Tron, whose limit is CPU time: 200 tokens took 17 ms on java-tron, and 500 failed while they were cold.
 */
export const addressesPerCall: Readonly<Record<ChainFamily, number>> = { evm: 500, tron: 100 };

/** A round is divided into so many equal parts, each with the time at which it was compared. */
const ROUND_PARTS = 24;

/** A round is planned for this share of its time; the rest is for outages. */
const PLANNED_SHARE = 0.9;

/** One round over the rows of all addresses, by row number. */
export interface Round {
  readonly startedMs: number;
  /** Rows up to this one are compared. */
  readonly position: number;
  /** The last row of the round. */
  readonly end: number;
}

/** `differing`: addresses that differed before, to see whether they are explained now. */
export type CheckKind = 'touched' | 'differing' | 'rotation';

export interface CurrencyNeeds {
  readonly currencyId: CurrencyId;
  readonly round: Round;
  readonly hasTouched: boolean;
  readonly hasDiffering: boolean;
  /** After a failure nothing is asked before this time. */
  readonly notBeforeMs: number;
}

export interface NextCheck {
  readonly kind: CheckKind;
  readonly currencyId: CurrencyId;
}

/** Whether a round has passed all its rows. */
export function isEnded({ position, end }: Round): boolean {
  return position >= end;
}

/**
 * When the next page of the round is due; of a round that has ended, when the next round begins. A round that begins later
 * than now was begun by a clock that was set back since. It is due at once, so that it makes room for one by this clock.
 */
export function roundDueMs(round: Round, nowMs: number, roundMs: number): number {
  if (round.startedMs > nowMs) return nowMs;
  const passed = isEnded(round) ? 1 : round.position / round.end;
  return round.startedMs + PLANNED_SHARE * roundMs * passed;
}

/**
 * The next comparison, or null where none is due. Balances that changed and the rounds take turns, so that neither keeps the
 * other waiting for ever. Of the rounds, the one that is furthest behind comes first.
 */
export function nextCheck(
  needs: readonly CurrencyNeeds[],
  last: CheckKind | null,
  nowMs: number,
  roundMs: number,
): NextCheck | null {
  const ready = needs.filter(({ notBeforeMs }) => notBeforeMs <= nowMs);
  const soon = firstSoon(ready);
  const rotation = firstInRounds(ready, nowMs, roundMs);
  if (soon !== null && (rotation === null || last === 'rotation' || last === null)) return soon;
  return rotation;
}

function firstSoon(needs: readonly CurrencyNeeds[]): NextCheck | null {
  const touched = needs.find(({ hasTouched }) => hasTouched);
  if (touched !== undefined) return { kind: 'touched', currencyId: touched.currencyId };
  const differing = needs.find(({ hasDiffering }) => hasDiffering);
  return differing === undefined ? null : { kind: 'differing', currencyId: differing.currencyId };
}

function firstInRounds(needs: readonly CurrencyNeeds[], nowMs: number, roundMs: number): NextCheck | null {
  let first: NextCheck | null = null;
  let firstMs = nowMs;
  for (const { currencyId, round } of needs) {
    const dueMs = roundDueMs(round, nowMs, roundMs);
    if (dueMs > firstMs || (first !== null && dueMs === firstMs)) continue;
    first = { kind: 'rotation', currencyId };
    firstMs = dueMs;
  }
  return first;
}

/**
 * When the oldest address of each part was compared; null for a part that never was. One more time follows the parts: when
 * the round came to its current part.
 */
export type PartTimes = readonly (number | null)[];

/** The times after a round has come from its position to `to`. A part counts from when the round came to it. */
export function passParts(parts: PartTimes, round: Round, to: number, nowMs: number): PartTimes {
  const passed = Array.from({ length: ROUND_PARTS }, (_, part) => parts[part] ?? null);
  const lastOf = (part: number) => Math.ceil(((part + 1) * round.end) / ROUND_PARTS);
  let cameMs = (round.position === 0 ? null : parts[ROUND_PARTS]) ?? round.startedMs;
  for (let part = 0; part < ROUND_PARTS && lastOf(part) <= to; part++) {
    if (lastOf(part) <= round.position && round.end > 0) continue;
    passed[part] = cameMs;
    cameMs = nowMs;
  }
  return [...passed, cameMs];
}

export interface Coverage {
  /** Which share of the used addresses was compared within the time of a round, 0 to 1. */
  readonly share: number;
  /** No address was compared longer ago than this; null while one never was. */
  readonly oldestMs: number | null;
}

export function coverageOf(parts: PartTimes, nowMs: number, roundMs: number): Coverage {
  const times = Array.from({ length: ROUND_PARTS }, (_, part) => parts[part] ?? null);
  const young = times.filter((time) => time !== null && time >= nowMs - roundMs);
  const oldestMs = times.reduce<number | null>(
    (oldest, time) => (oldest === null || time === null ? null : Math.min(oldest, time)),
    Infinity,
  );
  return { share: young.length / ROUND_PARTS, oldestMs };
}
