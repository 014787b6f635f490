// Collects on one chain while this process holds its lease: decides what is worth moving, and asks for the transfers.
import { collectLease } from '../../db/tables/leases.ts';
import type { RestBounds } from '../../runtime/idle-chains.ts';
import { Outage } from '../../runtime/outage.ts';
import { createLeaseStore, type LeaseStore } from '../../runtime/lease-store.ts';
import { underLease } from '../../runtime/under-lease.ts';
import { pacer } from '../../runtime/world.ts';
import type { CollectChain, LeasedCollector } from './parts.ts';
import { collectRoundApart } from './round-apart.ts';
import { topUpWallets } from './top-up-wallets.ts';
import { watchRunway } from './runway/watch-runway.ts';
import { type StraysSeen, watchStake } from './stake/watch-stake.ts';

const REST_MS = 5_000;
/** On an idle chain no payout and no collection is under way. Prices and what is old enough to collect change slowly. */
const IDLE_REST: RestBounds = { least: 15_000, most: 60_000 };
const FIRST_OUTAGE_MS = 2_000;
const LONGEST_OUTAGE_MS = 60_000;
const TOP_UP_EVERY_MS = 15_000;
const RUNWAY_EVERY_MS = 5 * 60_000;

/** Runs until the signal. Outages are waited out. An item that causes an error is quarantined; other errors end the role. */
export function runCollector(
  collect: CollectChain,
  signal: AbortSignal,
  // A lease must not be lost because all connections are busy, so it has some of its own where this is given.
  leases: LeaseStore = createLeaseStore(collect),
): Promise<void> {
  const { name } = collect.writer.definition;
  const onLease = (_: string, held: boolean) => collect.observer.onLease(name, held);
  // A metric that is missing until the lease is taken cannot alarm on a lease that nobody takes.
  onLease(name, false);
  const lease = { ...collect, leases, name: collectLease(name), onLease };
  return underLease(lease, signal, (held, leased) =>
    collectOn({ ...collect, lease: held, onItem: () => undefined, inARow: { broken: 0 } }, leased),
  );
}

async function collectOn(collector: LeasedCollector, signal: AbortSignal): Promise<void> {
  const { world, log, observer, writer, idle } = collector;
  const chain = writer.definition.name;
  const straysSeen: StraysSeen = new Map();
  let outages = 0;
  const [topUpIsDue, runwayIsDue] = [pacer(world, TOP_UP_EVERY_MS), pacer(world, RUNWAY_EVERY_MS)];
  while (!signal.aborted) {
    try {
      if (topUpIsDue() && !(await topUpWallets(collector))) return;
      const outcome = await collectRoundApart(collector);
      if (outcome === 'lease-lost') return;
      outages = 0;
      if (runwayIsDue()) {
        await watchRunway(collector);
        if (!(await watchStake(collector, straysSeen))) return;
      }
      if (outcome === 'busy') continue;
      if (!(await idle.rest(chain, IDLE_REST, signal))) await world.sleep(REST_MS, signal);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      observer.onOutage(chain, error.kind);
      log.warn({ chain, error }, 'collecting waits');
      await world.sleep(Math.min(LONGEST_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** Math.min(10, outages)), signal);
      outages++;
    }
  }
}
