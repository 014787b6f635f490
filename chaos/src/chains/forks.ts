// Forks now and then, beside everything else that happens.
import { setTimeout } from 'node:timers/promises';
import type { Chain } from './chain.ts';
import type { Chance } from '../chance.ts';

const SHORTEST_PAUSE_MS = 4_000;
const PAUSE_SPREAD_MS = 12_000;

/** Lets each chain fork at its own times until stopped. */
export function startForks(chains: readonly Chain[], chance: Chance): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = chains.map((chain) => forkNowAndThen(chain, chance.split(chain.name), stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function forkNowAndThen(chain: Chain, chance: Chance, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = SHORTEST_PAUSE_MS + chance.int(PAUSE_SPREAD_MS);
    // stop() aborts the pause, whose promise then rejects.
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await chain.fork(chance);
    } catch (error) {
      // A node that does not answer in time makes no fork this time. Anything else ends the run.
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    }
  }
}
