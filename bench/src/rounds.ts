// Runs floor and Ducat in turns, so that a machine that slows down slows down both.
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

/** Runs each of `runs` once to warm up, then all in turns, `rounds` times. Returns the rates of each, round by round. */
export async function inTurns<Name extends string, Done extends Rate>(
  rounds: number,
  runs: Readonly<Record<Name, () => Promise<Done>>>,
): Promise<Readonly<Record<Name, readonly Done[]>>> {
  // The keys of a record of functions are its names.
  const names = Object.keys(runs) as Name[];
  const done = Object.fromEntries(names.map((name) => [name, [] as Done[]])) as Record<Name, Done[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const rate = await runs[name]();
      if (round > 0) done[name].push(rate);
    }
  }
  return done;
}

/** Compares what was measured in the same rounds. */
export function compared(ours: readonly Rate[], floor: readonly Rate[]): Compared {
  const [rates, floors] = [ours.map(perSecond), floor.map(perSecond)];
  const ratios = rates.map((rate, round) => rate / (floors[round] ?? Number.NaN));
  return {
    floor: median(floors),
    ours: median(rates),
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
  goal: number | null = null,
): Figure {
  return {
    what,
    seen: `${whole(ours)}/s by ${whole(floor)}/s`,
    value: `${ratio.toFixed(2)} (${lowest.toFixed(2)}-${highest.toFixed(2)})`,
    goal: goal === null ? '' : `>= ${goal}`,
    // There is no ratio where the system does not count CPU time.
    met: goal !== null && Number.isFinite(ratio) ? ratio >= goal : null,
  };
}

/** The line of a comparison that is only shown and has no goal. */
export function withoutGoal(figure: Figure): Figure {
  return { ...figure, goal: '', met: null };
}

/** A whole number with its thousands apart. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
