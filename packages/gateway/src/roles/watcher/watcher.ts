// Watches one chain while this process holds its lease, and stands by while another one does.
import { Outage } from '../../runtime/outage.ts';
import { watchLease } from '../../db/tables/leases.ts';
import { underLease } from '../../runtime/under-lease.ts';
import type { LeasedChain, WatchChain } from './parts.ts';
import { createEndpointTeller } from './tell-endpoints.ts';
import { createGapTeller } from './tell-gaps.ts';
import { readAheadOf, stepChain } from './watch-chain.ts';

const MIN_POLL_MS = 100;
const MAX_POLL_MS = 3_000;
const MAX_BACK_OFF_MS = 30_000;
/** How often a halted chain is looked at, in case a human let it go on. */
const HALTED_POLL_MS = 5_000;

/** Runs until the signal; outages are waited out, everything else ends the role. */
export function runWatcher(
  watch: WatchChain,
  signal: AbortSignal,
  // A lease must not be lost because all connections are busy.
  { transact, reader }: Pick<WatchChain, 'transact' | 'reader'> = watch,
): Promise<void> {
  const { chain, observer } = watch;
  const { name } = chain.definition;
  const onLease = (_: string, held: boolean) => observer.onLease(name, held);
  // For all walks: what one of them has told is known to the next.
  const tellGaps = createGapTeller(watch);
  return underLease(
    { ...watch, transact, reader, name: watchLease(name), onLease },
    signal,
    (lease, leased) => walk({ ...watch, lease }, leased, tellGaps),
  );
}

/** Keeps walking the chain at its own pace, until the signal or until another process watches it. */
async function walk(watch: LeasedChain, signal: AbortSignal, tellGaps: () => void): Promise<void> {
  const { chain, world, log, observer } = watch;
  const { name, blockTimeMs } = chain.definition;
  const pollMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, blockTimeMs / 2));
  const tellEndpoints = createEndpointTeller(watch);
  const tell = (): void => {
    tellEndpoints();
    tellGaps();
  };
  const ahead = readAheadOf(watch);
  let backOffMs = pollMs;
  while (!signal.aborted) {
    try {
      const step = await stepChain(watch, ahead).finally(tell);
      backOffMs = pollMs;
      if (step === 'lease-lost') return;
      if (step === 'halted') observer.onHalted(name);
      if (step !== 'busy') ahead.forget();
      if (step !== 'busy') await world.sleep(step === 'halted' ? HALTED_POLL_MS : pollMs, signal);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      ahead.forget();
      observer.onOutage(name, error.kind);
      log.warn({ chain: name, error, waitMs: backOffMs }, 'chain or database cannot be reached');
      await world.sleep(backOffMs, signal);
      backOffMs = Math.min(MAX_BACK_OFF_MS, backOffMs * 2);
    }
  }
}
