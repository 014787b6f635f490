// The providers of one chain: who is asked, in which order, and what their failures come to.
import { Outage, type OutageKind } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { Failure, Outcome, Answer, Provider } from './provider.ts';

/** What the providers that were asked came to. */
export interface Round<T> {
  readonly answers: readonly Answer<T>[];
  readonly failures: readonly Failure[];
}

/** What every part of the quorum reader works on. */
export interface Quorum {
  readonly chain: string;
  readonly world: World;
  /** In the order configured. */
  readonly all: readonly Provider[];
  /** How many have to report the same. */
  readonly needed: number;
}

/** Those whose circuit is not open, in the order configured. */
export function usable({ all }: Pick<Quorum, 'all'>): readonly Provider[] {
  return all.filter(({ breaker }) => breaker.circuit !== 'open');
}

/**
 * The order in which blocks are asked for: as configured, but closed circuits first, then those that one vote may close,
 * then those that are still doubted. Among equals, whoever is known to be below `number` comes last.
 */
export function inOrder({ all }: Pick<Quorum, 'all'>, number = 0): readonly Provider[] {
  const place = ({ breaker, head }: Provider): number => {
    const trust = breaker.circuit === 'closed' ? 0 : breaker.isProbing ? 2 : 4;
    return trust + (head !== null && head < number ? 1 : 0);
  };
  return [...usable({ all })].sort((one, other) => place(one) - place(other));
}

/** The outcomes of a round, answers and failures apart. */
export function roundOf<T>(outcomes: readonly Outcome<T>[]): Round<T> {
  return {
    answers: outcomes.flatMap((outcome) => ('outage' in outcome ? [] : [outcome])),
    failures: outcomes.flatMap((outcome) => ('outage' in outcome ? [outcome] : [])),
  };
}

/** Why there is no result: what each provider that was asked did, and why others were not asked. */
export function outageOf({ chain, all }: Quorum, what: string, failures: readonly Failure[]): Outage {
  const tried = failures.map(({ provider, outage }) => `${provider.name}: ${outage.message}`);
  const open = all.filter(
    (one) => one.breaker.circuit === 'open' && !failures.some(({ provider }) => provider === one),
  );
  const resting = open.map(({ name, breaker }) => `${name}: circuit open, ${breaker.reason}`);
  const reasons = [...tried, ...resting].join('; ');
  const kind = kindOf([
    ...failures.map(({ outage }) => outage.kind),
    ...open.map((): OutageKind => 'unavailable'),
  ]);
  return new Outage(`${chain}: ${what}: ${reasons || 'too few providers answer'}`, { kind });
}

/** The kind that all share. */
function kindOf(kinds: readonly OutageKind[]): OutageKind {
  const [first = 'unavailable'] = kinds;
  return kinds.every((kind) => kind === first) ? first : 'unavailable';
}
