// The loop of the notifier: claims due webhooks in batches, sends them side by side, records how they ended.
import type { Queue } from '@ducat/core/webhook/fair-share';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { claimDeliveries, type Claims } from '../../flows/deliveries/claim-deliveries.ts';
import type { RecordedDelivery } from '../../flows/deliveries/record-delivery.ts';
import { Outage } from '../../runtime/outage.ts';
import { BrokenEvents } from './broken-events.ts';
import { claimApart } from './claim-apart.ts';
import { deliver } from './deliver.ts';
import { ClaimedQueues, quickMs, type Sent } from './claimed-queues.ts';
import type { NotifierParts } from './parts.ts';
import { Recorder } from './recorder.ts';
import { LeaseReleaser } from './lease-releaser.ts';

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;
/**
 * How many claims in a row may send nothing while they postpone held events or search through receivers. Then comes a
 * pause, which only the end of an attempt cuts short. So many held events cost no more than a hundred claims a second.
 */
const MAX_SEARCHES = 10;
const SEARCH_PAUSE_MS = 100;
/** After so long without a due event, looks at the outbox are further apart. */
const CALM_AFTER_MS = 60_000;
/** The last event of an order is written when its chain becomes idle, so looks go on at their pace for a while. */
const IDLE_AFTER_MS = 10_000;

// ~ tour 14/15: the merchant gets the webhook, tried again for a day if need be.
// → sim/src/main.ts
/**
 * Runs until the signal is aborted, and then until all attempts under way are done or `graceMs` have passed. Attempts left
 * then are abandoned: their leases end, and another process sends the events. Rejects on a bug only. Outages are waited out.
 */
export async function runNotifier(parts: NotifierParts, signal: AbortSignal): Promise<void> {
  const recorder = new Recorder(parts, () => claimed.abandoned);
  const broken = new BrokenEvents(parts);
  const claimed: ClaimedQueues = new ClaimedQueues(parts.limits, parts.world, (...begun) =>
    carry(parts, { recorder, broken, claimed }, ...begun),
  );
  const releaser = new LeaseReleaser(parts, claimed);
  const onStop = () => claimed.stop();
  signal.addEventListener('abort', onStop, { once: true });
  try {
    await loop(parts, { claimed, broken }, releaser, signal);
  } finally {
    signal.removeEventListener('abort', onStop);
    await finish(parts, claimed, releaser);
  }
}

async function loop(
  parts: NotifierParts,
  { claimed, broken }: Pick<Carrying, 'claimed' | 'broken'>,
  releaser: LeaseReleaser,
  signal: AbortSignal,
): Promise<void> {
  let after = NOTHING.resumeAfter;
  let backoffMs = FIRST_BACKOFF_MS;
  let searches = 0;
  let sentAtMs = parts.world.nowMs();
  while (!signal.aborted) {
    claimed.throwBug();
    claimed.prepareClaim();
    releaser.start();
    const claims = await claim(parts, { claimed, broken }, after);
    if (claims === 'outage') {
      await parts.world.sleep(backoffMs, signal);
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
      continue;
    }
    backoffMs = FIRST_BACKOFF_MS;
    after = claims.resumeAfter;
    if (claims.died > 0) parts.observer.onDied(claims.died);
    searches = claims.deliveries.length > 0 ? 0 : searches + 1;
    const nowMs = parts.world.nowMs();
    if (claims.deliveries.length > 0) sentAtMs = nowMs;
    // A claim takes all that it has room for. The next follows at once only if this one met events that it could not take.
    const moreNow = claims.postponed + claims.died > 0 || claims.searchGoesOn;
    const resting = !moreNow || claimed.places.length >= parts.limits.maxUnderWay;
    if (resting || searches >= MAX_SEARCHES) {
      await claimed.rest(resting ? await restMs(parts, claims, sentAtMs) : SEARCH_PAUSE_MS);
      searches = 0;
    }
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
  { transact, reader, world, limits, observer }: NotifierParts,
  { claimed, broken }: Pick<Carrying, 'claimed' | 'broken'>,
  after: Claims['resumeAfter'],
): Promise<Claims | 'outage'> {
  const underWay = claimed.places;
  const maxDeliveries = limits.maxUnderWay - underWay.length;
  if (maxDeliveries <= 0) return { ...NOTHING, resumeAfter: after };
  const nowMs = world.nowMs();
  const { leaseMs, maxPerReceiver } = limits;
  const prefetch = claimed.prefetch(underWay);
  const maxPerApp = claimed.appShare;
  // An app that has nothing left of its share is not looked at, so a paused app is entered with its whole share taken.
  const paused = claimed.pausedApps.flatMap((appId) => Array<Queue>(maxPerApp).fill({ appId, receiver: '' }));
  const room = { maxDeliveries, maxPerApp, maxPerReceiver, underWay: [...underWay, ...paused], prefetch };
  try {
    const claims = await claimDeliveries(
      { transact, reader },
      { nowMs, leaseMs, ...room, after },
      (once, shares) => claimApart(once, shares, broken),
    );
    claimed.take(claims.deliveries, nowMs);
    return claims;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    observer.onTrouble('claim', error);
    return 'outage';
  }
}

/** What an attempt needs beside the parts. */
interface Carrying {
  readonly recorder: Recorder;
  readonly broken: BrokenEvents;
  readonly claimed: ClaimedQueues;
}

/** One attempt from its beginning to its record. Rejects on a bug only. */
async function carry(
  parts: NotifierParts,
  { recorder, broken, claimed }: Carrying,
  delivery: ClaimedDelivery,
  claimedAtMs: number,
  sent: Sent,
): Promise<void> {
  const ended = await deliver(parts, delivery, claimedAtMs, () => claimed.stopped);
  if (claimed.abandoned) return;
  if (typeof ended === 'string') {
    claimed.notSent(delivery);
    if (ended === 'no-key') claimed.pause(delivery.appId);
    sent(null);
    return;
  }
  const { eventId, attempt, outcome, httpStatus } = ended;
  const durationMs = Math.max(0, ended.endedAtMs - ended.startedAtMs);
  const hasMore = sent(quickMs(outcome, durationMs));
  const recorded = await recordApart(recorder.record(ended, hasMore), eventId, broken);
  const { appId, tradeNo, receiver } = delivery;
  parts.observer.onAttempt({
    eventId,
    appId,
    tradeNo,
    receiver,
    attempt,
    outcome,
    httpStatus,
    durationMs,
    recorded,
  });
}

/** Null also where recording this end alone causes an error: the event is then in quarantine, and due again after that. */
async function recordApart(
  recording: Promise<RecordedDelivery | null>,
  eventId: string,
  broken: BrokenEvents,
): Promise<RecordedDelivery | null> {
  try {
    const recorded = await recording;
    if (recorded !== null) broken.onSuccess();
    return recorded;
  } catch (bug) {
    await broken.quarantine({ eventId }, bug);
    return null;
  }
}

/** Milliseconds until the next event falls due, and never more than the poll interval. The event may be due by now. */
async function restMs(
  { world, limits, idle }: NotifierParts,
  { nextDueAtMs }: Claims,
  sentAtMs: number,
): Promise<number> {
  const isCalm = Math.abs(world.nowMs() - sentAtMs) >= CALM_AFTER_MS;
  const isIdle = ((await idle.idleMs(null)) ?? 0) >= IDLE_AFTER_MS;
  const pollMs = isIdle ? limits.idlePollMs : isCalm ? limits.calmPollMs : limits.pollMs;
  if (nextDueAtMs === null) return pollMs;
  return Math.max(0, Math.min(pollMs, nextDueAtMs - world.nowMs()));
}

async function finish(parts: NotifierParts, claimed: ClaimedQueues, releaser: LeaseReleaser): Promise<void> {
  const { world, limits } = parts;
  const done = new AbortController();
  const allDone = releaser
    .finish()
    .then(() => claimed.allDone())
    // Releases the leases of attempts that were begun and then not sent.
    .then(() => releaser.finish())
    .finally(() => done.abort());
  await Promise.race([allDone, world.sleep(limits.graceMs, done.signal)]);
  claimed.abandoned = true;
  claimed.throwBug();
}
