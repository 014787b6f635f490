// Makes one claimed attempt and records how it ended, whatever happens on the way.
import type { ClaimedDelivery } from '../../flows/claim-deliveries.ts';
import { type EndedDelivery, type RecordedDelivery, recordDelivery } from '../../flows/record-delivery.ts';
import { Outage } from '../../outage.ts';
import { unixTime } from '../../world.ts';
import type { NotifierParts } from './parts.ts';
import type { PostAnswer } from './port.ts';
import { sign } from './sign.ts';

/** A record is tried this often while the database is out: about as long as the lease lasts. */
const MAX_RECORD_TRIES = 10;
const FIRST_RECORD_BACKOFF_MS = 250;
const MAX_RECORD_BACKOFF_MS = 5_000;

/** Resolves once the attempt is recorded or given up; rejects on a bug only. */
export async function deliver(
  parts: NotifierParts,
  delivery: ClaimedDelivery,
  abandoned: () => boolean,
): Promise<void> {
  const startedAtMs = parts.world.nowMs();
  const answer = await attempt(parts, delivery);
  const endedAtMs = parts.world.nowMs();
  if (abandoned()) return;
  const { eventId, attempt: number, attemptOnLadder } = delivery;
  const ended = { eventId, attempt: number, attemptOnLadder, startedAtMs, endedAtMs, ...answer };
  const recorded = await record(parts, ended, abandoned);
  parts.observer.onAttempt({
    eventId,
    appId: delivery.appId,
    tradeNo: delivery.tradeNo,
    receiver: delivery.receiver,
    attempt: number,
    ...answer,
    durationMs: Math.max(0, endedAtMs - startedAtMs),
    recorded,
  });
}

type Answer = PostAnswer | { readonly outcome: 'not-signed'; readonly httpStatus: null };

async function attempt(
  { keys, world, post, observer, limits }: NotifierParts,
  delivery: ClaimedDelivery,
): Promise<Answer> {
  let headers: Readonly<Record<string, string>>;
  try {
    headers = sign(delivery, await keys.appKey(delivery.appId), unixTime(world));
  } catch (error) {
    observer.onTrouble('sign', error);
    return { outcome: 'not-signed', httpStatus: null };
  }
  try {
    return await post({ url: delivery.url, headers, body: delivery.body, timeoutMs: limits.timeoutMs });
  } catch (error) {
    // The port promises not to reject, but a broken promise must not cost the claim.
    observer.onTrouble('post', error);
    return { outcome: 'connection-failed', httpStatus: null };
  }
}

async function record(
  { transact, world, observer }: NotifierParts,
  ended: EndedDelivery,
  abandoned: () => boolean,
): Promise<RecordedDelivery | null> {
  let backoffMs = FIRST_RECORD_BACKOFF_MS;
  for (let tries = 1; tries <= MAX_RECORD_TRIES && !abandoned(); tries++) {
    try {
      return await transact((tx) => recordDelivery(tx, ended), 'one-statement');
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      observer.onTrouble('record', error);
      await world.sleep(backoffMs);
      backoffMs = Math.min(backoffMs * 2, MAX_RECORD_BACKOFF_MS);
    }
  }
  return null;
}
