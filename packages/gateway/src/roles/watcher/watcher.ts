// Watches one chain while this process holds its lease: one loop walks the blocks, one searches for value without a log.
import { watchLease } from '../../db/tables/leases.ts';
import { readUnread } from '../../db/tables/unread-currencies.ts';
import { createLeaseStore, type LeaseStore } from '../../runtime/lease-store.ts';
import { underLease } from '../../runtime/under-lease.ts';
import type { WatchChain } from './parts.ts';
import { runSearch } from './search/run-search.ts';
import { walkChain } from './walk.ts';

/** Runs until the signal; outages are waited out, everything else ends the role. */
export function runWatcher(
  watch: WatchChain,
  signal: AbortSignal,
  // A lease must not be lost because all connections are busy, so it has some of its own where this is given.
  leases: LeaseStore = createLeaseStore(watch),
): Promise<void> {
  const { name } = watch.chain.definition;
  const onLease = (_: string, held: boolean) => watch.observer.onLease(name, held);
  // A metric that is missing until the lease is taken cannot alarm on a lease that nobody takes.
  onLease(name, false);
  const lease = { ...watch, leases, name: watchLease(name), onLease, whyUnfit: () => whyOutdated(watch) };
  return underLease(lease, signal, async (held, leased) => {
    const leasedChain = { ...watch, lease: held };
    const ending = new AbortController();
    const end = () => ending.abort();
    const both = AbortSignal.any([leased, ending.signal]);
    // The loop that ends first ends the other: where the walk finds the lease lost, the search stops too.
    const ends = await Promise.allSettled([
      walkChain(leasedChain, both).finally(end),
      runSearch(leasedChain, both).finally(end),
    ]);
    for (const ended of ends) if (ended.status === 'rejected') throw ended.reason;
  });
}

/** A token was added after this process started, or its file is older than that of the others. */
async function whyOutdated({ chain, reader }: WatchChain): Promise<string | null> {
  const { name, currencies } = chain.definition;
  const unread = await readUnread(
    reader,
    name,
    currencies.map(({ currencyId }) => currencyId),
  );
  if (unread.length === 0) return null;
  return `orders or payouts wait in currencies that this process does not read: ${unread.join(', ')}; start it anew with the file of the others`;
}
