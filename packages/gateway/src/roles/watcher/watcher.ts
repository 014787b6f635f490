// Keeps walking one chain until it is told to stop, at the chain's own pace.
import { Outage } from '../../outage.ts';
import type { WatchChain } from './parts.ts';
import { stepChain } from './watch-chain.ts';

const MIN_POLL_MS = 100;
const MAX_POLL_MS = 3_000;
const MAX_BACK_OFF_MS = 30_000;
/** How often a halted chain is looked at, in case a human let it go on. */
const HALTED_POLL_MS = 5_000;

/** Runs until the signal; outages are waited out, everything else ends the role. */
export async function runWatcher(watch: WatchChain, signal: AbortSignal): Promise<void> {
  const { chain, world, log, observer } = watch;
  const { name, blockTimeMs } = chain.definition;
  const pollMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, blockTimeMs / 2));
  let backOffMs = pollMs;
  while (!signal.aborted) {
    try {
      const step = await stepChain(watch);
      backOffMs = pollMs;
      if (step === 'halted') observer.onHalted(name);
      if (step !== 'busy') await world.sleep(step === 'halted' ? HALTED_POLL_MS : pollMs, signal);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      observer.onOutage(name);
      log.warn({ chain: name, error, waitMs: backOffMs }, 'chain or database cannot be reached');
      await world.sleep(backOffMs, signal);
      backOffMs = Math.min(MAX_BACK_OFF_MS, backOffMs * 2);
    }
  }
}
