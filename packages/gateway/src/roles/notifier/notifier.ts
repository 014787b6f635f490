// The loop of the notifier: claims due webhooks, sends them side by side, records how they ended.
import { claimDeliveries, type ClaimedDelivery, type Claims } from '../../flows/claim-deliveries.ts';
import { Outage } from '../../outage.ts';
import { deliver } from './deliver.ts';
import type { NotifierParts } from './parts.ts';
import { UnderWay } from './under-way.ts';

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;
/** No app takes more of the places than this, however many receivers it has: the others always find one free. */
const APP_SHARE = 1 / 4;
/**
 * So many claims in a row may send nothing while they put held events off or look through receivers; then comes a
 * pause, which only the end of an attempt cuts short. So a pile of held events costs a hundred claims a second at most.
 */
const MAX_SEARCHES = 10;
const SEARCH_PAUSE_MS = 100;

// ~ tour 11/12: the merchant hears of it, for a day if need be.
// → sim/src/main.ts
/**
 * Runs until the signal is aborted and what is under way is done, or `graceMs` have passed: what is left then is
 * abandoned, and its leases bring it back elsewhere. Rejects on a bug only; outages it waits out.
 */
export async function runNotifier(parts: NotifierParts, signal: AbortSignal): Promise<void> {
  const state = new UnderWay();
  const onStop = () => state.wake();
  signal.addEventListener('abort', onStop, { once: true });
  try {
    await loop(parts, state, signal);
  } finally {
    signal.removeEventListener('abort', onStop);
    await finish(parts, state);
  }
}

async function loop(parts: NotifierParts, state: UnderWay, signal: AbortSignal): Promise<void> {
  let after = NOTHING.resumeAfter;
  let backoffMs = FIRST_BACKOFF_MS;
  let searches = 0;
  while (!signal.aborted) {
    state.prepareRest();
    const claims = await claim(parts, state, after);
    if (claims === 'outage') {
      await parts.world.sleep(backoffMs, signal);
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
      continue;
    }
    backoffMs = FIRST_BACKOFF_MS;
    after = claims.resumeAfter;
    if (claims.died > 0) parts.observer.onDied(claims.died);
    for (const delivery of claims.deliveries) start(parts, state, delivery);
    searches = claims.deliveries.length > 0 ? 0 : searches + 1;
    const moreNow = claims.deliveries.length + claims.postponed + claims.died > 0 || claims.searchGoesOn;
    const resting = !moreNow || state.size >= parts.limits.maxUnderWay;
    if (resting || searches >= MAX_SEARCHES) {
      await state.rest(parts.world, resting ? restMs(parts, claims) : SEARCH_PAUSE_MS);
      searches = 0;
    }
    state.throwBug();
  }
}

const NOTHING: Claims = {
  deliveries: [],
  postponed: 0,
  died: 0,
  nextDueAtMs: null,
  resumeAfter: new Map(),
  searchGoesOn: false,
};

async function claim(
  { transact, world, limits, observer }: NotifierParts,
  state: UnderWay,
  after: Claims['resumeAfter'],
): Promise<Claims | 'outage'> {
  const maxDeliveries = limits.maxUnderWay - state.size;
  if (maxDeliveries <= 0) return { ...NOTHING, resumeAfter: after };
  try {
    return await transact(
      (tx) =>
        claimDeliveries(tx, {
          nowMs: world.nowMs(),
          leaseMs: limits.leaseMs,
          maxDeliveries,
          maxPerApp: Math.ceil(limits.maxUnderWay * APP_SHARE),
          maxPerReceiver: limits.maxPerReceiver,
          underWay: state.queues,
          after,
        }),
      'one-statement',
    );
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    observer.onTrouble('claim', error);
    return 'outage';
  }
}

function start(parts: NotifierParts, state: UnderWay, delivery: ClaimedDelivery): void {
  state.add(
    delivery,
    deliver(parts, delivery, () => state.abandoned),
  );
}

/** Until the next event falls due, which may have come by now, and never longer than the usual look. */
function restMs({ world, limits }: NotifierParts, { nextDueAtMs }: Claims): number {
  if (nextDueAtMs === null) return limits.pollMs;
  return Math.max(0, Math.min(limits.pollMs, nextDueAtMs - world.nowMs()));
}

async function finish({ world, limits }: NotifierParts, state: UnderWay): Promise<void> {
  const done = new AbortController();
  const allDone = state.allDone().then(() => done.abort());
  await Promise.race([allDone, world.sleep(limits.graceMs, done.signal)]);
  state.abandoned = true;
  state.throwBug();
}
