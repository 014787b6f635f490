// Walks one chain at its own pace: one step hands a value to the next, and outages are waited out.
import { isIdle } from '../../db/tables/idle-chains.ts';
import { Outage } from '../../runtime/outage.ts';
import { type LeasedChain, outageOf } from './parts.ts';
import { reportedAtStart, reportProviders } from './report.ts';
import { step, type Walk, walkFromStart } from './step.ts';

const MIN_POLL_MS = 100;
/** The poll interval of slow chains. */
const MAX_POLL_MS = 3_000;
/** An idle chain rests for a quarter of the time that it has been idle, between these bounds. */
const IDLE_SHARE = 4;
const SHORTEST_IDLE_MS = 6_000;
const LONGEST_IDLE_MS = 15_000;
/** After a rest of sixteen blocks the reader would start its second thread, which is for chains that catch up. */
const MOST_IDLE_BLOCKS = 14;
/** How often an idle chain is checked for work, which ends its rest. */
const IDLE_CHECK_MS = 3_000;
const MAX_BACKOFF_MS = 30_000;
/** How often a halted chain is checked, in case a person let it go on. */
const HALTED_POLL_MS = 5_000;

/** Runs until the signal, or until another process watches the chain. */
export async function walkChain(watch: LeasedChain, signal: AbortSignal): Promise<void> {
  const { chain, world, log, observer } = watch;
  const { name, blockTimeMs } = chain.definition;
  const pollMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, blockTimeMs / 2));
  let walk = walkFromStart;
  let reported = reportedAtStart(watch);
  let backoffMs = pollMs;
  let idleSinceMs: number | null = null;
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
    else idleSinceMs = await rest(watch, { walk, pollMs, idleSinceMs }, signal);
  }
}

interface Rest {
  readonly walk: Walk;
  readonly pollMs: number;
  /** Since when the chain is idle; null where it was not idle before. */
  readonly idleSinceMs: number | null;
}

/** Waits until the next step. Returns since when the chain is idle, null where it is not. */
async function rest(
  watch: LeasedChain,
  { walk, pollMs, idleSinceMs }: Rest,
  signal: AbortSignal,
): Promise<number | null> {
  const { world } = watch;
  const startedMs = world.nowMs();
  if (!walk.isAtHead || !(await isKnownIdle(watch))) {
    await world.sleep(pollMs, signal);
    return null;
  }
  const sinceMs = idleSinceMs ?? startedMs;
  // Distances count in both directions: a clock that was set back must not stop the chain.
  const shareMs = Math.abs(startedMs - sinceMs) / IDLE_SHARE;
  const mostMs = Math.min(LONGEST_IDLE_MS, MOST_IDLE_BLOCKS * watch.chain.definition.blockTimeMs);
  const restMs = Math.max(SHORTEST_IDLE_MS, Math.min(mostMs, shareMs));
  const leftMs = () => restMs - Math.abs(world.nowMs() - startedMs);
  do await world.sleep(Math.min(IDLE_CHECK_MS, leftMs()), signal);
  while (!signal.aborted && leftMs() > 0 && (await isKnownIdle(watch)));
  return sinceMs;
}

/** An error of this query must not stop the chain. */
async function isKnownIdle({ chain, reader, log }: LeasedChain): Promise<boolean> {
  try {
    return await isIdle(reader, chain.definition);
  } catch (error) {
    log.warn({ chain: chain.definition.name, error }, 'whether the chain is idle is not known');
    return false;
  }
}
