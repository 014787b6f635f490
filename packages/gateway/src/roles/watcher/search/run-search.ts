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
/** No payment is expected on an idle chain, so value that came without a log may be found later. */
const LONGEST_REST_MS = 60_000;
/** A search reads balances at the block up to which the search before it came, and full nodes keep 128 blocks of them. */
const MOST_REST_BLOCKS = 40;
/**
 * How long a trace is awaited that a provider could give and does not. Then the receipt is unassigned. While balances cannot
 * be had either, the time stands still.
 */
const TRACE_WITHIN_MS = 300_000;

/** Runs until the signal, or until another process watches the chain. */
export async function runSearch(watch: LeasedChain, signal: AbortSignal): Promise<void> {
  const { chain, world, log, observer, idle } = watch;
  const { name, blockTimeMs } = chain.definition;
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, EVERY_BLOCKS * blockTimeMs));
  const most = Math.max(pauseMs, Math.min(LONGEST_REST_MS, MOST_REST_BLOCKS * blockTimeMs));
  let waitMs = pauseMs;
  /** How long nothing but traces has failed since the last search that succeeded, up to the last failure. */
  let untracedMs = 0;
  /** When a trace failed, if nothing was tried since. */
  let traceFailedAtMs: number | null = null;
  const sinceTraceFailedMs = (): number => Math.abs(world.nowMs() - (traceFailedAtMs ?? world.nowMs()));
  while (!signal.aborted) {
    const searching = { signal, waitsForTrace: untracedMs + sinceTraceFailedMs() < TRACE_WITHIN_MS };
    const searched = await searchOnce(watch, searching).catch(outageOf);
    if (searched instanceof Outage) {
      const isTrace = searched instanceof TraceOutage;
      if (isTrace) untracedMs += sinceTraceFailedMs();
      traceFailedAtMs = isTrace ? world.nowMs() : null;
      waitMs = Math.min(MAX_BACKOFF_MS, waitMs * 2);
      observer.onOutage(name, searched.kind);
      log.warn({ chain: name, error: searched, waitMs }, 'internal transactions are not searched for');
    } else {
      if (searched === 'lease-lost') return;
      [untracedMs, traceFailedAtMs] = [0, null];
      waitMs = pauseMs;
      if (await idle.rest(name, { least: pauseMs, most }, signal)) continue;
    }
    await world.sleep(waitMs, signal);
  }
}
