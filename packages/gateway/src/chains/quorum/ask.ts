// Hedged requests: one provider after the other is asked until there are enough answers, and nobody waits long for one.
import { Hedge, Poll } from './poll.ts';
import type { Answer, Outcome, Provider } from './provider.ts';
import type { Quorum } from './providers.ts';

export interface Asking<T> {
  /** Whom to ask, the first first. */
  readonly order: readonly Provider[];
  readonly request: (provider: Provider) => Promise<Outcome<T>>;
  /** How many more answers would do at least; 0 or less where these are enough. */
  readonly missing: (answers: readonly Answer<T>[]) => number;
  /** After how long without an answer the next one is asked too; null where only a failure has that effect. */
  readonly hedgeMs: number | null;
}

/**
 * At any time as many providers are waited for as answers are missing. One that fails, or is silent for `hedgeMs`, is
 * replaced by the next; its answer still counts when it comes. One that is silent to the end lost a race against one that
 * was asked later, and is doubted. Ends with fewer answers where nobody is left to ask.
 * Rejects only with what `request` itself throws.
 */
export async function ask<T>({ world }: Quorum, asking: Asking<T>): Promise<Poll<T>> {
  const { order, request, missing, hedgeMs } = asking;
  const poll = new Poll(request);
  const waiting = [...order];
  const late = new Set<Provider>();
  for (;;) {
    const wanted = missing(poll.answers);
    const waitedFor = poll.silent.filter((provider) => !late.has(provider)).length;
    if (wanted > waitedFor) poll.ask(waiting.splice(0, wanted - waitedFor));
    if (wanted <= 0 || poll.silent.length === 0) break;
    const hedge = new Hedge(world, hedgeMs ?? 0);
    if (hedgeMs !== null) void hedge.start();
    await hedge.next(poll.pending);
    hedge.end();
    if (hedge.isOver) for (const provider of poll.silent) late.add(provider);
  }
  for (const { breaker } of poll.silent.filter((provider) => late.has(provider)))
    breaker.doubted(`gave no answer within ${hedgeMs} ms where others did`);
  return poll;
}
