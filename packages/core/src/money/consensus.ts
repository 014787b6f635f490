// Many sources, one price: the median of the young ones, if enough of them agree, or the reason why there is none.
import { assert } from '../assert.ts';
import { accept, type Result, refuse } from '../result.ts';
import { divide } from './amount.ts';
import { formatDecimal } from './decimal.ts';
import { type Evidence, RATE_DECIMALS, type Reading, type Verdict } from './reading.ts';

export interface ConsensusLimits {
  /** So many sources must be near the median, and more than half of the young ones. */
  readonly minSources: number;
  /** Seconds, as `ageOf` counts them. */
  readonly maxAgeS: number;
  /** How far a price may be from the median, and the inner two of an even number from each other; in ppm of the median. */
  readonly maxSpreadPpm: bigint;
  /** Age in seconds; for daily rates weekends may not count. */
  readonly ageOf: (at: number, now: number) => number;
}

/** What one source says for a price: its reading, with the price in the unit in which all of them are compared. */
export interface Vote {
  readonly reading: Reading;
  readonly priceUnits: bigint;
}

export interface Consensus {
  readonly priceUnits: bigint;
  /** Unix seconds of the oldest price used. */
  readonly at: number;
  /** Every reading that was looked at, by the name of its source. */
  readonly evidence: readonly Evidence[];
}

/** How far a source's clock may run before ours, in seconds. */
export const MAX_AHEAD_S = 60;

type Checked = Vote & { readonly verdict: Verdict };

/**
 * The price is the median of all young prices; of an even number the middle of the inner two, rounded down. So one source of
 * three or more cannot move the price outside of what the others report. Half of an even number of sources together cannot
 * move it by more than half the spread, because the inner two may be no further apart than the spread. `subject` names what
 * is priced in the reason of a refusal. `votes` has at most one vote of each source.
 */
export function agree(
  subject: string,
  votes: readonly Vote[],
  limits: ConsensusLimits,
  now: number,
): Result<Consensus> {
  const sources = new Set(votes.map(({ reading }) => reading.source));
  assert(sources.size === votes.length, `a source votes twice about ${subject}`);
  const byTime = votes.map((vote) => ({ ...vote, verdict: timeVerdict(vote.reading.at, limits, now) }));
  const young = byTime.filter(({ verdict }) => verdict === 'used');
  if (young.length === 0 || young.length < limits.minSources) {
    return unavailable(tooFew(subject, byTime, young.length, limits, now));
  }
  const [lower, upper] = innerTwo(young.map(({ priceUnits }) => priceUnits));
  const median = divide(lower + upper, 2n, 'down');
  const checked = byTime.map((vote) => withDistance(vote, median, limits.maxSpreadPpm));
  const near = checked.filter(({ verdict }) => verdict === 'used');
  // mark: half-of-the-sources-cannot-pull
  const isSplit = (upper - lower) * 1_000_000n > median * limits.maxSpreadPpm;
  if (near.length < limits.minSources || 2 * near.length <= young.length || isSplit) {
    return unavailable(disagreement(subject, young, limits));
  }
  return accept({
    priceUnits: median,
    at: Math.min(...near.map(({ reading }) => reading.at)),
    evidence: bySource(checked).map(({ reading, verdict }) => ({ ...reading, verdict })),
  });
}

/** The middle value; of an even number the middle of the inner two, rounded down. Needs at least one value. */
export function medianOf(values: readonly bigint[]): bigint {
  const [lower, upper] = innerTwo(values);
  return divide(lower + upper, 2n, 'down');
}

/** The two in the middle; of an odd number twice the same. */
function innerTwo(values: readonly bigint[]): readonly [lower: bigint, upper: bigint] {
  const sorted = values.toSorted((a, b) => Number(a - b));
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  assert(lower !== undefined && upper !== undefined, 'a median is of at least one value');
  return [lower, upper];
}

function timeVerdict(at: number, limits: ConsensusLimits, now: number): Verdict {
  if (at > now + MAX_AHEAD_S) return 'ahead';
  return limits.ageOf(at, now) > limits.maxAgeS ? 'old' : 'used';
}

function withDistance(vote: Checked, median: bigint, maxSpreadPpm: bigint): Checked {
  if (vote.verdict !== 'used') return vote;
  const distance = vote.priceUnits > median ? vote.priceUnits - median : median - vote.priceUnits;
  return distance * 1_000_000n > median * maxSpreadPpm ? { ...vote, verdict: 'far' } : vote;
}

function bySource<Each extends Vote>(votes: readonly Each[]): readonly Each[] {
  return votes.toSorted((a, b) => (a.reading.source < b.reading.source ? -1 : 1));
}

function unavailable(message: string): ReturnType<typeof refuse> {
  return refuse({ code: 'rate-unavailable', message });
}

function tooFew(
  subject: string,
  votes: readonly Checked[],
  young: number,
  limits: ConsensusLimits,
  now: number,
): string {
  if (votes.length === 0) return `no source has reported the price of ${subject}`;
  const wrong = bySource(votes)
    .filter(({ verdict }) => verdict !== 'used')
    .map(({ reading: { source, at }, verdict }) =>
      verdict === 'ahead' ? `${source} is ahead of the clock` : `${source} is ${limits.ageOf(at, now)} s old`,
    );
  const why = wrong.length === 0 ? '' : ` (${wrong.join(', ')}; at most ${limits.maxAgeS} s)`;
  return `${young} of ${votes.length} sources ${young === 1 ? 'has' : 'have'} a usable price of ${subject}, ${limits.minSources} are needed${why}`;
}

function disagreement(subject: string, young: readonly Checked[], limits: ConsensusLimits): string {
  const reported = bySource(young).map(
    ({ reading, priceUnits }) => `${reading.source} ${formatDecimal(priceUnits, RATE_DECIMALS)}`,
  );
  const percent = formatDecimal(limits.maxSpreadPpm, 4);
  return `the sources disagree about the price of ${subject} by more than ${percent} %: ${reported.join(', ')}`;
}
