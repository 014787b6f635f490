// Searches for value that no log shows, in a loop of its own: no slow or disagreeing provider holds up the walk with it.
import { Outage } from '../../../runtime/outage.ts';
import { type LeasedChain, outageOf } from '../parts.ts';
import { TraceOutage } from './explain-surplus.ts';
import { searchOnce } from './search-once.ts';

/**
 * Block times between two searches, within the bounds below: a chain that is final every half second is not searched as
 * often.
 */
const EVERY_BLOCKS = 20;
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 10_000;
const MAX_BACKOFF_MS = 60_000;
/** How long a trace is awaited that a provider could give and does not. After that, the receipt is unassigned. */
const TRACE_WITHIN_MS = 300_000;

/** Runs until the signal, or until another process watches the chain. */
export async function runSearch(watch: LeasedChain, signal: AbortSignal): Promise<void> {
  const { chain, world, log, observer } = watch;
  const { name, blockTimeMs } = chain.definition;
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, EVERY_BLOCKS * blockTimeMs));
  let waitMs = pauseMs;
  /** When a trace failed first since the last search that was done. */
  let untracedSinceMs: number | null = null;
  while (!signal.aborted) {
    const untracedMs: number = untracedSinceMs === null ? 0 : Math.abs(world.nowMs() - untracedSinceMs);
    const searching = { signal, waitsForTrace: untracedMs < TRACE_WITHIN_MS };
    const searched = await searchOnce(watch, searching).catch(outageOf);
    if (searched instanceof Outage) {
      if (searched instanceof TraceOutage) untracedSinceMs ??= world.nowMs();
      waitMs = Math.min(MAX_BACKOFF_MS, waitMs * 2);
      observer.onOutage(name, searched.kind);
      log.warn({ chain: name, error: searched, waitMs }, 'internal transactions are not searched for');
    } else {
      if (searched === 'lease-lost') return;
      untracedSinceMs = null;
      waitMs = pauseMs;
    }
    await world.sleep(waitMs, signal);
  }
}
