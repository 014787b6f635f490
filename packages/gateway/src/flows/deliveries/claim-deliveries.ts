// Claims due webhook attempts: so many per app and receiver, in order per subject, each under a lease.
import { fairShare, type Queue, type Share } from '@ducat/core/webhook/fair-share';
import type { Database } from '../../db/postgres/tx.ts';
import { type ClaimedEvents, claimEvents } from '../../db/tables/deliveries/claims.ts';
import { findDueQueues, type FoundQueues } from '../../db/tables/deliveries/due-queues.ts';

export interface ClaimLimits {
  readonly nowMs: number;
  /** How long a claim is its process's own; then the event waits for the next attempt of its schedule. */
  readonly leaseMs: number;
  readonly maxDeliveries: number;
  /** What this process may have under way for one app, over all its receivers. */
  readonly maxPerApp: number;
  /** What it may have under way in one queue. */
  readonly maxPerReceiver: number;
  /** The queue of each attempt that it already has under way. */
  readonly underWay: readonly Queue[];
  /** Of queues that take webhooks quickly: how many to claim beside those that are sent at once. */
  readonly prefetch?: readonly Share[];
  /** Behind which receiver the search begins in each app: the `resumeAfter` of the claim before. */
  readonly after: ReadonlyMap<string, string>;
}

/** Claims so many events of each queue in one transaction. */
export type ClaimShares = (shares: readonly Share[]) => Promise<ClaimedEvents>;

/** How all shares are claimed: at once, unless the caller has another way where that breaks something. */
export type ClaimAll = (claim: ClaimShares, shares: readonly Share[]) => Promise<ClaimedEvents>;

export type Claims = ClaimedEvents & Omit<FoundQueues, 'queues'>;

/** Searches for what is due, shares the free places out, and claims in one statement. */
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

/** The apps that have all their places under way. */
function appsWith(underWay: readonly Queue[], places: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { appId } of underWay) counts.set(appId, (counts.get(appId) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= places).map(([appId]) => appId));
}
