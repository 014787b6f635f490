// Makes one claimed attempt: signs it and sends it, and says how it ended, whatever happens on the way.
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import type { EndedDelivery } from '../../flows/deliveries/record-delivery.ts';
import { Outage } from '../../runtime/outage.ts';
import { unixTime, within, type World } from '../../runtime/world.ts';
import type { NotifierParts } from './parts.ts';
import type { PostAnswer } from './port.ts';
import { sign } from './sign.ts';

type Parts = Pick<NotifierParts, 'keys' | 'world' | 'post' | 'observer' | 'limits'>;

/** How long an attempt waits for the app's key, which comes from memory or from one read. */
const KEY_MS = 5_000;

/**
 * Nothing was sent, for a reason that is not the merchant's, so no attempt is spent. `no-key`: the keys could not be read.
 * `late`: so little of the lease is left that another notifier could send the event before this attempt ends. Or the key
 * came after a stop, when the process no longer waits for an answer.
 */
export type NotSent = 'no-key' | 'late';

/** Never rejects. */
export async function deliver(
  parts: Parts,
  delivery: ClaimedDelivery,
  claimedAtMs: number,
  stopped: () => boolean,
): Promise<EndedDelivery | NotSent> {
  const startedAtMs = parts.world.nowMs();
  const answer = await attempt(parts, delivery, claimedAtMs, stopped);
  if (typeof answer === 'string') return answer;
  const { eventId, attempt: number, scheduledAttempt } = delivery;
  const endedAtMs = parts.world.nowMs();
  return { eventId, attempt: number, scheduledAttempt, startedAtMs, endedAtMs, ...answer };
}

type Answer = PostAnswer | { readonly outcome: 'not-signed'; readonly httpStatus: null };

async function attempt(
  { keys, world, post, observer, limits }: Parts,
  delivery: ClaimedDelivery,
  claimedAtMs: number,
  stopped: () => boolean,
): Promise<Answer | NotSent> {
  let headers: Readonly<Record<string, string>>;
  try {
    const key = keys.appKey(delivery.appId);
    // A key from memory needs no timeout, because a timeout costs more than the signature.
    headers = sign(delivery, typeof key === 'string' ? key : await inTime(world, key), unixTime(world));
  } catch (error) {
    observer.onTrouble('sign', error);
    return error instanceof Outage ? 'no-key' : { outcome: 'not-signed', httpStatus: null };
  }
  const ageMs = world.nowMs() - claimedAtMs;
  if (stopped() || ageMs < 0 || ageMs > limits.leaseMs - limits.timeoutMs) return 'late';
  try {
    return await post({ url: delivery.url, headers, body: delivery.body, timeoutMs: limits.timeoutMs });
  } catch (error) {
    // The port promises not to reject, but a broken promise must not cost the claim.
    observer.onTrouble('post', error);
    return { outcome: 'connection-failed', httpStatus: null };
  }
}

async function inTime(world: World, asked: Promise<string>): Promise<string> {
  const key = await within(world, KEY_MS, asked);
  if (key === null) throw new Outage('the key of an app took too long', { retryable: true });
  return key;
}
