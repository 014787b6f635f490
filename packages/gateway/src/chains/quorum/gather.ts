// A vote: all providers are asked at once, and nobody waits for stragglers.
import { limits } from './limits.ts';
import type { Outcome, Provider } from './provider.ts';
import { type Quorum, type Round, roundOf } from './providers.ts';

export interface Gathering<T> {
  readonly voters: readonly Provider[];
  readonly run: (provider: Provider) => Promise<Outcome<T>>;
  /** From then on only closed circuits are waited for, and those not long. */
  readonly isEnough: (round: Round<T>) => boolean;
  /** From then on nobody is waited for long; `isEnough` unless given. */
  readonly isUsable?: (round: Round<T>) => boolean;
}

/**
 * Ends when all have answered or failed; or when it is enough and every closed circuit has answered too; or one hedge time
 * after it was usable. A closed one that is still silent then is doubted, so that the next vote does not wait for it.
 * What comes later is not in the round; `run` may take note of it.
 */
export function gather<T>(quorum: Pick<Quorum, 'world'>, gathering: Gathering<T>): Promise<Round<T>> {
  const { voters, run, isEnough, isUsable = isEnough } = gathering;
  const outcomes: Outcome<T>[] = [];
  const pending = new Set(voters);
  const done = new AbortController();
  let isTimed = false;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      done.abort();
      reject(error);
    };
    const end = (round: Round<T>): void => {
      done.abort();
      resolve(round);
    };
    const step = (): void => {
      if (done.signal.aborted) return;
      const round = roundOf(outcomes);
      const isAwaited = [...pending].some(({ breaker }) => breaker.circuit === 'closed');
      if (pending.size === 0 || (isEnough(round) && !isAwaited)) return end(round);
      if (isTimed || !isUsable(round)) return;
      isTimed = true;
      void quorum.world.sleep(limits.voteHedgeMs, done.signal).then(giveUp).catch(fail);
    };
    const giveUp = (): void => {
      if (done.signal.aborted) return;
      for (const provider of pending)
        provider.doubt(`answers ${limits.voteHedgeMs} ms later than the others`);
      end(roundOf(outcomes));
    };
    const vote = async (provider: Provider): Promise<void> => {
      const outcome = await run(provider);
      pending.delete(provider);
      if (!done.signal.aborted) outcomes.push(outcome);
      step();
    };
    for (const provider of voters) void vote(provider).catch(fail);
    step();
  });
}
