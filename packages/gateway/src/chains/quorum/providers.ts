// The providers of one chain: who is asked, in which order, and what their failures come to.
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { Answer, Failure, Provider } from './provider.ts';

/** What all parts of the quorum reader share. */
export interface Quorum {
  readonly chain: string;
  readonly world: World;
  /** All providers, in the order configured. */
  readonly all: readonly Provider[];
  /** How many providers have to report the same. */
  readonly needed: number;
  /** How many blocks a provider may be behind the others and still keep up. */
  readonly lagBlocks: number;
  /** The time of `lagBlocks` blocks. A reported head counts for this long. */
  readonly lagMs: number;
}

/** The providers whose circuit is not open, in the order configured. */
export function usable({ all }: Quorum): readonly Provider[] {
  return all.filter(({ breaker }) => breaker.circuit !== 'open');
}

/**
 * The order in which blocks are asked for: closed circuits first, then circuits that one vote may close, then those that are
 * still doubted; else as configured. Among equals, a provider known to be below `number` comes last.
 */
export function inOrder(quorum: Quorum, number = 0): readonly Provider[] {
  const place = ({ breaker, head }: Provider): number => {
    const trust = breaker.circuit === 'closed' ? 0 : breaker.isProbing ? 2 : 4;
    return trust + ((head.last ?? number) < number ? 1 : 0);
  };
  return [...usable(quorum)].sort((one, other) => place(one) - place(other));
}

/** Why there is no result: what each provider that was asked did, and why others were not asked. */
export function outageOf({ chain, all }: Quorum, what: string, failures: readonly Failure[]): Outage {
  const tried = failures.map(({ provider, outage }) => `${provider.name}: ${outage.message}`);
  const open = all.filter(({ breaker }) => breaker.circuit === 'open');
  const unasked = open.filter((one) => !failures.some(({ provider }) => provider === one));
  const resting = unasked.map(({ name, breaker }) => `${name}: circuit open, ${breaker.reason}`);
  const reasons = [...tried, ...resting].join('; ') || 'too few providers';
  const [first] = failures;
  const isShared = unasked.length === 0 && failures.every(({ outage }) => outage.kind === first?.outage.kind);
  const kind = first !== undefined && isShared ? first.outage.kind : 'unavailable';
  return new Outage(`${chain}: ${what}: ${reasons}`, { kind });
}

/** The answers in groups of the same key, the largest group first. */
export function groups<T>(
  answers: readonly Answer<T>[],
  keyOf: (value: T) => string,
): readonly (readonly Answer<T>[])[] {
  const byKey = new Map<string, Answer<T>[]>();
  for (const answer of answers) {
    const key = keyOf(answer.value);
    byKey.set(key, [...(byKey.get(key) ?? []), answer]);
  }
  return [...byKey.values()].sort((one, other) => other.length - one.length);
}
