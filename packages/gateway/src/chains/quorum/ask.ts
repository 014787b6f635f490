// Hedged requests: one provider after the other is asked until there are enough answers, and nobody waits long for one.
import type { Outcome, Provider } from './provider.ts';
import { type Quorum, type Round, roundOf } from './providers.ts';

export interface Asking<T> {
  /** Whom to ask, the first first. */
  readonly order: readonly Provider[];
  readonly run: (provider: Provider) => Promise<Outcome<T>>;
  /** How many more answers would do at least; 0 or less where these are enough. */
  readonly missing: (round: Round<T>) => number;
  /** After how long without an answer the next one is asked too; null where only a failure has that effect. */
  readonly hedgeMs: number | null;
}

/**
 * At any time as many providers are being waited for as answers are missing. One that fails, or gives none within
 * `hedgeMs`, is replaced by the next; its answer still counts when it comes. One that is still silent when the round ends
 * has lost a race against a provider that was asked later, and is doubted.
 * Ends with fewer answers than wanted where nobody is left to ask. Rejects only with what `run` itself throws.
 */
export function ask<T>(quorum: Pick<Quorum, 'world'>, asking: Asking<T>): Promise<Round<T>> {
  const { order, run, missing, hedgeMs } = asking;
  const waiting = [...order];
  const outcomes: Outcome<T>[] = [];
  const pending = new Set<Provider>();
  const late = new Set<Provider>();
  const done = new AbortController();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      done.abort();
      reject(error);
    };
    const end = (round: Round<T>): void => {
      done.abort();
      for (const provider of late) provider.doubt(`gives no answer within ${hedgeMs} ms where others do`);
      resolve(round);
    };
    const step = (): void => {
      if (done.signal.aborted) return;
      const round = roundOf(outcomes);
      const wanted = missing(round);
      if (wanted <= 0) return end(round);
      while (waiting.length > 0 && pending.size - late.size < wanted) start(waiting.shift());
      if (pending.size === 0) end(round);
    };
    const start = (provider: Provider | undefined): void => {
      if (provider === undefined) return;
      pending.add(provider);
      const hedge = async (): Promise<void> => {
        if (hedgeMs === null) return;
        await quorum.world.sleep(hedgeMs, done.signal);
        if (!done.signal.aborted && pending.has(provider)) late.add(provider);
        step();
      };
      const answer = async (): Promise<void> => {
        outcomes.push(await run(provider));
        pending.delete(provider);
        late.delete(provider);
        step();
      };
      void hedge().catch(fail);
      void answer().catch(fail);
    };
    step();
  });
}
