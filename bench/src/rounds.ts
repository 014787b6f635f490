// Pairs of floor and ours, one after the other in turns, so that a machine that slows down slows down both.
import type { Figure } from './measure.ts';

/** Work done and the seconds it took. */
export interface Rate {
  readonly count: number;
  readonly seconds: number;
}

export interface Compared {
  /** Medians, in pieces a second. */
  readonly floor: number;
  readonly ours: number;
  /** Ours by the floor beside it: the median of the rounds, and the lowest and highest of them. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Runs each of them once to warm up, and then `rounds` times in turns; the rates of each, by its name. */
export async function inTurns<Name extends string>(
  rounds: number,
  runs: Readonly<Record<Name, () => Promise<Rate>>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  // The keys of a record of functions are its names.
  const names = Object.keys(runs) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const rate = perSecond(await runs[name]());
      if (round > 0) rates[name].push(rate);
    }
  }
  return rates;
}

/** Compares what was measured in the same rounds. */
export function compared(ours: readonly number[], floor: readonly number[]): Compared {
  const ratios = ours.map((rate, round) => rate / (floor[round] ?? Number.NaN));
  return {
    floor: median(floor),
    ours: median(ours),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

function perSecond({ count, seconds }: Rate): number {
  return count / seconds;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The smallest value that at least this share of all values, above 0 and at most 1, does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The line of a comparison whose ratio must not be below `goal`. */
export function ratioFigure(
  what: string,
  { floor, ours, ratio, lowest, highest }: Compared,
  goal: number,
): Figure {
  return {
    what,
    seen: `${whole(ours)}/s by ${whole(floor)}/s`,
    value: `${ratio.toFixed(2)} (${lowest.toFixed(2)}-${highest.toFixed(2)})`,
    goal: `>= ${goal}`,
    met: ratio >= goal,
  };
}

/** A whole number with its thousands apart. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
