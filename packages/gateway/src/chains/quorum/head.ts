// The head that a quorum has reached, and who lags behind it.
import { askAll, closedAnswered } from './ask.ts';
import { kthHighest } from './height.ts';
import { limits } from './limits.ts';
import type { Outcome, Provider } from './provider.ts';
import { outageOf, type Quorum, usable } from './providers.ts';

export class Head {
  readonly #quorum: Quorum;
  #agreed: number | null = null;

  constructor(quorum: Quorum) {
    this.#quorum = quorum;
  }

  /** The head that was agreed on last; -1 before the first agreement. */
  get last(): number {
    return this.#agreed ?? -1;
  }

  /**
   * Asks all providers and takes the quorum-th highest report, so that fewer than a quorum can neither raise nor lower it. A
   * head decides only what is read next. So reports count that come in time, or came lately: where one of two providers is
   * away, reading goes on. Throws Outage where no provider answers.
   */
  async agree(): Promise<number> {
    const { needed, lagMs } = this.#quorum;
    const voters = usable(this.#quorum);
    const { answers, failures } = await askAll(this.#quorum, {
      order: voters,
      request: (provider) => this.#ask(provider),
      isEnough: closedAnswered(needed),
      isUsable: ({ length }) => length > 0,
      hedgeMs: () => limits.voteHedgeMs,
    });
    if (answers.length === 0) throw outageOf(this.#quorum, 'nobody reports a head', failures);
    const recent = voters.filter(({ head }) => head.within(lagMs) !== null);
    const heads = recent.map(({ head }) => head.last ?? -1);
    this.#agreed = kthHighest(heads, Math.min(needed, heads.length));
    for (const { provider } of answers) this.#compare(provider);
    return this.#agreed;
  }

  async #ask(provider: Provider): Promise<Outcome<number>> {
    const before = this.#agreed;
    const outcome = await provider.call((reader) => reader.head());
    if ('outage' in outcome) return outcome;
    provider.head.note(outcome.value);
    // Where the round ended without this provider, nothing else compares its head.
    if (this.#agreed !== before) this.#compare(provider);
    return outcome;
  }

  #compare({ breaker, head }: Provider): void {
    const behind = (this.#agreed ?? 0) - (head.last ?? 0);
    if (behind <= this.#quorum.lagBlocks) breaker.agreed();
    else breaker.doubted(`its head ${head.last} is ${behind} blocks below that of others`);
  }
}
