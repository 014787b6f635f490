// Votes on the hash of the final block, one for each height that a quorum may agree on.
import { Outage } from '../../runtime/outage.ts';
import type { BlockReference } from '../port/reader.ts';
import { Poll } from './poll.ts';
import type { Answer, Failure, Outcome, Provider } from './provider.ts';
import { groups } from './providers.ts';

export class Ballots {
  readonly #needed: number;
  readonly #byHeight = new Map<number, Poll<string>>();
  #agreed: BlockReference | null = null;

  constructor(needed: number) {
    this.#needed = needed;
  }

  /**
   * Asks everybody who has come as far for the hash at the highest height in question, and at the next lower one where
   * that cannot get a quorum any more, or takes long. Nobody is asked twice.
   */
  open(heights: ReadonlyMap<Provider, number>, isLate: boolean): void {
    const sorted = [...heights.values()].sort((a, b) => b - a);
    for (const number of sorted.slice(this.#needed - 1, 2 * this.#needed - 1)) {
      if (number < 0) continue;
      const ballot = this.#byHeight.get(number) ?? new Poll((provider) => this.#ask(provider, number));
      this.#byHeight.set(number, ballot);
      ballot.ask([...heights].flatMap(([provider, height]) => (height >= number ? [provider] : [])));
      if (!isLate && this.#standing(ballot).isPossible) return;
    }
  }

  /** What to wait for. */
  get pending(): readonly Promise<void>[] {
    return [...this.#byHeight.values()].flatMap(({ pending }) => pending);
  }

  get failures(): readonly Failure[] {
    return [...this.#byHeight.values()].flatMap(({ failures }) => failures);
  }

  /** Who reports what, in words. */
  get reports(): readonly string[] {
    return [...this.#byHeight].flatMap(([number, { answers }]) =>
      answers.map(({ provider, value }) => `${provider.name} reports ${value} for block ${number}`),
    );
  }

  /**
   * The highest block with a quorum. It is sure where nothing that is pending can bring about a quorum for a higher block
   * or a second one for this.
   */
  result(): { readonly block: BlockReference | null; readonly isSure: boolean } {
    let isSure = true;
    for (const [number, ballot] of [...this.#byHeight].sort(([a], [b]) => b - a)) {
      const { hash, first, second, isPossible } = this.#standing(ballot);
      if (isPossible && hash !== null && first >= this.#needed) {
        const isAlone = second + ballot.pending.length < this.#needed;
        return { block: { number, hash }, isSure: isSure && isAlone };
      }
      if (isPossible) isSure = false;
    }
    return { block: null, isSure };
  }

  #standing({ answers, pending }: Poll<string>) {
    const [leading = [], next = []] = groups(answers, (hash) => hash);
    const [first, second] = [leading.length, next.length];
    // Two quorums are two branches that are both called final: nobody here can know which one is the chain.
    const isPossible = first + pending.length >= this.#needed && second < this.#needed;
    return { hash: leading[0]?.value ?? null, first, second, isPossible };
  }

  /** Ends the vote: a provider that reported another hash, or reports one later, is outvoted. */
  close(agreed: BlockReference): void {
    this.#agreed = agreed;
    for (const answer of this.#byHeight.get(agreed.number)?.answers ?? []) compare(answer, agreed);
  }

  async #ask(provider: Provider, number: number): Promise<Outcome<string>> {
    const outcome = await provider.call((reader) => reader.header(number));
    if ('outage' in outcome) return outcome;
    if (outcome.value === null) {
      const reason = `has no block ${number}, which it calls final`;
      provider.breaker.doubted(reason);
      return { provider, outage: new Outage(reason, { kind: 'invalid' }) };
    }
    const answer = { provider, value: outcome.value.hash };
    if (this.#agreed?.number === number) compare(answer, this.#agreed);
    return answer;
  }
}

function compare({ provider: { breaker }, value }: Answer<string>, { number, hash }: BlockReference): void {
  if (value === hash) breaker.agreed();
  else breaker.outvoted(`: reports ${value} for final block ${number}, which is ${hash}`);
}
