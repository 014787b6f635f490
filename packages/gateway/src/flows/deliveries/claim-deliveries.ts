// Claims due webhook attempts under leases: limited per app and per receiver, and in order per subject.
import { fairShare, type Queue, type Share } from '@ducat/core/webhook/fair-share';
import type { Database } from '../../db/postgres/tx.ts';
import { type ClaimedEvents, claimEvents } from '../../db/tables/deliveries/claims.ts';
import { findDueQueues, type FoundQueues } from '../../db/tables/deliveries/due-queues.ts';

export interface ClaimLimits {
  readonly nowMs: number;
  /** How long a claim belongs to its process. Afterwards the event waits for the next attempt of its retry schedule. */
  readonly leaseMs: number;
  readonly maxDeliveries: number;
  /** The most attempts of this process that may be under way for one app, over all its receivers. */
  readonly maxPerApp: number;
  /** The most attempts of this process that may be under way in one queue. */
  readonly maxPerReceiver: number;
  /** The queue of each attempt that this process has under way already. */
  readonly underWay: readonly Queue[];
  /** How many attempts to prefetch, for queues whose receivers answer quickly. These are claimed on top of the places. */
  readonly prefetch?: readonly Share[];
  /** By app, the receiver after which the search begins: the `resumeAfter` of the last claim. */
  readonly after: ReadonlyMap<string, string>;
}

/** Claims the given number of events of each queue, in one database transaction. */
export type ClaimShares = (shares: readonly Share[]) => Promise<ClaimedEvents>;

/** How the shares are claimed. By default all at once; a caller can claim in parts, where claiming all at once fails. */
export type ClaimAll = (claim: ClaimShares, shares: readonly Share[]) => Promise<ClaimedEvents>;

export type Claims = ClaimedEvents & Omit<FoundQueues, 'queues'>;

/** Searches for due events, distributes the free places among their queues, and claims in one statement. */
export async function claimDeliveries(
  { transact, reader }: Pick<Database, 'transact' | 'reader'>,
  limits: ClaimLimits,
  claimAll: ClaimAll = (claim, shares) => claim(shares),
): Promise<Claims> {
  const { nowMs, leaseMs, maxPerApp, maxPerReceiver, underWay, prefetch = [], after } = limits;
  const fullApps = appsWith(underWay, maxPerApp);
  const { queues, ...found } = await findDueQueues(reader, { nowMs, maxPerReceiver, after, fullApps });
  const places = { free: limits.maxDeliveries, maxPerApp, maxPerReceiver, taken: underWay, prefetch };
  const shares = fairShare(queues, places);
  if (shares.length === 0) return { deliveries: [], postponed: 0, died: 0, ...found };
  const claim: ClaimShares = (some) =>
    transact((tx) => claimEvents(tx, some, { nowMs, leaseMs }), 'one-statement');
  const claimed = await claimAll(claim, shares);
  return { ...claimed, ...found };
}

/** The apps that use all of their places. */
function appsWith(underWay: readonly Queue[], places: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { appId } of underWay) counts.set(appId, (counts.get(appId) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= places).map(([appId]) => appId));
}
