// Makes one claimed attempt: signs it and sends it, and says how it ended, whatever happens on the way.
import type { ClaimedDelivery } from '../../flows/claim-deliveries.ts';
import type { EndedDelivery } from '../../flows/record-delivery.ts';
import { unixTime } from '../../world.ts';
import type { NotifierParts } from './parts.ts';
import type { PostAnswer } from './port.ts';
import { sign } from './sign.ts';

type Parts = Pick<NotifierParts, 'keys' | 'world' | 'post' | 'observer' | 'limits'>;

/** Never rejects. */
export async function deliver(parts: Parts, delivery: ClaimedDelivery): Promise<EndedDelivery> {
  const startedAtMs = parts.world.nowMs();
  const answer = await attempt(parts, delivery);
  const { eventId, attempt: number, attemptOnLadder } = delivery;
  const endedAtMs = parts.world.nowMs();
  return { eventId, attempt: number, attemptOnLadder, startedAtMs, endedAtMs, ...answer };
}

type Answer = PostAnswer | { readonly outcome: 'not-signed'; readonly httpStatus: null };

async function attempt(
  { keys, world, post, observer, limits }: Parts,
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
