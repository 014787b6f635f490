// The head that a quorum has reached, and who lags behind it.
import type { Outcome, Provider } from './provider.ts';
import { gather } from './gather.ts';
import { limits } from './limits.ts';
import { outageOf, type Quorum, usable } from './providers.ts';

export class Head {
  readonly #quorum: Quorum;
  readonly #lagBlocks: number;
  readonly #lagMs: number;
  #agreed: number | null = null;

  constructor(quorum: Quorum, blockTimeMs: number) {
    this.#quorum = quorum;
    this.#lagBlocks = Math.max(limits.leastLagBlocks, Math.ceil(limits.lagMs / Math.max(1, blockTimeMs)));
    this.#lagMs = this.#lagBlocks * blockTimeMs;
  }

  /**
   * Asks everybody and takes the quorum-th highest report, so that fewer than a quorum can neither raise nor lower it.
   * A head decides only what is read next, so the reports of those that answer in time do: where one of two is away,
   * reading goes on. Throws Outage where nobody answers.
   */
  async agree(): Promise<number> {
    const { needed } = this.#quorum;
    const { answers, failures } = await gather(this.#quorum, {
      voters: usable(this.#quorum),
      run: (provider) => this.#ask(provider),
      isEnough: (round) => round.answers.length >= needed,
      isUsable: (round) => round.answers.length > 0,
    });
    if (answers.length === 0) throw outageOf(this.#quorum, 'no provider reports its head', failures);
    // A node that lost its peers goes on answering with one height. Where others rise, its report counts no more: of two
    // providers the lower one would decide.
    const rising = answers.filter(({ provider }) => provider.roseWithin(this.#lagMs));
    const reports = (rising.length > 0 ? rising : answers).map(({ value }) => value);
    const agreed = kthHighest(reports, Math.min(needed, reports.length));
    this.#agreed = agreed;
    for (const { provider, value } of answers) this.#compare(provider, value);
    return agreed;
  }

  async #ask(provider: Provider): Promise<Outcome<number>> {
    const agreedBefore = this.#agreed;
    const outcome = await provider.call((reader) => reader.head());
    if ('outage' in outcome) return outcome;
    provider.noteHead(outcome.value);
    // The round ended without this one. A report above what the quorum had before is as good as one in time.
    if (this.#agreed !== agreedBefore) this.#compare(provider, outcome.value);
    return outcome;
  }

  #compare(provider: Provider, head: number): void {
    if (this.#agreed === null) return;
    if (head >= this.#agreed - this.#lagBlocks) provider.agreed();
    else provider.doubt(`its head ${head} is ${this.#agreed - head} blocks below that of others`);
  }
}

/** The k-th highest of at least k numbers, k from 1. */
export function kthHighest(numbers: readonly number[], k: number): number {
  return [...numbers].sort((a, b) => b - a)[k - 1] ?? -1;
}
