// Walks one chain at its own pace: one step hands a value to the next, and outages are waited out.
import { Outage } from '../../runtime/outage.ts';
import type { RestBounds } from '../../runtime/idle-chains.ts';
import { type LeasedChain, outageOf } from './parts.ts';
import { reportedAtStart, reportProviders } from './report.ts';
import { step, walkFromStart } from './step.ts';

const MIN_POLL_MS = 100;
/** The poll interval of slow chains. */
const MAX_POLL_MS = 3_000;
/** At most 15 seconds, because a payout on Tron names the newest block of the books, and expires 60 seconds after it. */
const IDLE_REST: RestBounds = { least: 6_000, most: 15_000 };
const MAX_BACKOFF_MS = 30_000;
/** How often a halted chain is checked, in case a person let it go on. */
const HALTED_POLL_MS = 5_000;

/** Runs until the signal, or until another process watches the chain. */
export async function walkChain(watch: LeasedChain, signal: AbortSignal): Promise<void> {
  const { chain, world, log, observer, idle } = watch;
  const { name, blockTimeMs } = chain.definition;
  const pollMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, blockTimeMs / 2));
  let walk = walkFromStart;
  let reported = reportedAtStart(watch);
  let backoffMs = pollMs;
  while (!signal.aborted) {
    const stepped = await step(watch, walk).catch(outageOf);
    reported = reportProviders(watch, reported);
    if (stepped instanceof Outage) {
      observer.onOutage(name, stepped.kind);
      log.warn({ chain: name, error: stepped, waitMs: backoffMs }, 'the chain waits for an outage to end');
      walk = walkFromStart;
      await world.sleep(backoffMs, signal);
      backoffMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2);
      continue;
    }
    if (stepped.outcome === 'lease-lost') return;
    if (stepped.outcome === 'halted') observer.onHalted(name);
    walk = stepped.walk;
    backoffMs = pollMs;
    if (stepped.outcome === 'busy') continue;
    // Blocks that were read ahead would be old after a pause.
    walk = { ...walk, ahead: null };
    if (stepped.outcome === 'halted') await world.sleep(HALTED_POLL_MS, signal);
    else if (!walk.isAtHead || !(await idle.rest(name, IDLE_REST, signal))) await world.sleep(pollMs, signal);
  }
}
