// Halves a claim that causes an error until one event is alone: that event is quarantined, the others are claimed.
import type { Share } from '@ducat/core/webhook/fair-share';
import type { ClaimedEvents } from '../../db/tables/deliveries/claims.ts';
import type { ClaimShares } from '../../flows/deliveries/claim-deliveries.ts';
import { Outage } from '../../runtime/outage.ts';
import type { BrokenEvents } from './broken-events.ts';

const NONE: ClaimedEvents = { deliveries: [], postponed: 0, died: 0 };

/** Throws Outage, and errors that no single event explains. At worst, each halving costs two statements. */
export async function claimApart(
  claim: ClaimShares,
  shares: readonly Share[],
  broken: BrokenEvents,
): Promise<ClaimedEvents> {
  try {
    const claimed = await claim(shares);
    if (claimed.deliveries.length > 0) broken.onSuccess();
    return claimed;
  } catch (error) {
    if (error instanceof Outage) throw error;
    const [first = [], second] = halvesOf(shares);
    // mark: a-broken-webhook-stops-itself-alone
    if (second === undefined) {
      for (const { appId, receiver } of first) await broken.quarantine({ first: { appId, receiver } }, error);
      return NONE;
    }
    const claimed = await claimApart(claim, first, broken);
    return together(claimed, await others(claimApart(claim, second, broken), claimed));
  }
}

/** Drops an error where the first half was claimed, so that the first half is sent. The next claim meets the error again. */
async function others(claiming: Promise<ClaimedEvents>, claimed: ClaimedEvents): Promise<ClaimedEvents> {
  try {
    return await claiming;
  } catch (error) {
    if (claimed.deliveries.length === 0) throw error;
    return NONE;
  }
}

function together(one: ClaimedEvents, other: ClaimedEvents): ClaimedEvents {
  return {
    deliveries: [...one.deliveries, ...other.deliveries],
    postponed: one.postponed + other.postponed,
    died: one.died + other.died,
  };
}

/** Two halves, or one part where there is only one event to claim. */
function halvesOf(shares: readonly Share[]): readonly (readonly Share[])[] {
  const middle = Math.ceil(shares.length / 2);
  if (shares.length > 1) return [shares.slice(0, middle), shares.slice(middle)];
  const [share] = shares;
  if (share === undefined || share.deliveries <= 1) return [shares];
  const few = Math.ceil(share.deliveries / 2);
  return [[{ ...share, deliveries: few }], [{ ...share, deliveries: share.deliveries - few }]];
}
