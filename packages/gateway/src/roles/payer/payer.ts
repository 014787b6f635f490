// Pays on one chain while this process holds its lease: prepares, has signed, broadcasts, and polls until all is final.
import { payLease } from '../../db/tables/leases.ts';
import { restMs } from '@ducat/core/outgoing/pace';
import type { RestBounds } from '../../runtime/idle-chains.ts';
import { Outage } from '../../runtime/outage.ts';
import { createLeaseStore, type LeaseStore } from '../../runtime/lease-store.ts';
import { underLease } from '../../runtime/under-lease.ts';
import type { LeasedPayer, PayChain } from './parts.ts';
import { payRoundApart } from './round-apart.ts';

const FIRST_OUTAGE_MS = 1_000;
const LONGEST_OUTAGE_MS = 30_000;
const IDLE_REST: RestBounds = { least: 15_000, most: 15_000 };

/** Runs until the signal; outages are waited out, everything else ends the role. */
export function runPayer(
  pay: PayChain,
  signal: AbortSignal,
  // A lease must not be lost because all connections are busy, so it has some of its own where this is given.
  leases: LeaseStore = createLeaseStore(pay),
): Promise<void> {
  const { name } = pay.writer.definition;
  const onLease = (_: string, held: boolean) => pay.observer.onLease(name, held);
  // A metric that is missing until the lease is taken cannot alarm on a lease that nobody takes.
  onLease(name, false);
  const lease = { ...pay, leases, name: payLease(name), onLease };
  return underLease(lease, signal, (held, leased) => payOn({ ...pay, lease: held }, leased));
}

async function payOn(payer: LeasedPayer, signal: AbortSignal): Promise<void> {
  const { world, log, observer, writer, idle } = payer;
  const { name: chain, blockTimeMs } = writer.definition;
  let checked: number | null = null;
  let outages = 0;
  let withoutWork = 0;
  while (!signal.aborted) {
    try {
      const round = await payRoundApart(payer, checked);
      if (round.outcome === 'lease-lost') return;
      ({ checked } = round);
      outages = 0;
      withoutWork = round.outcome === 'no-work' ? withoutWork + 1 : 0;
      if (round.outcome === 'busy') continue;
      if (round.outcome === 'no-work' && (await idle.rest(chain, IDLE_REST, signal))) continue;
      await world.sleep(restMs(blockTimeMs, withoutWork), signal);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      observer.onOutage(chain, error.kind);
      log.warn({ chain, error }, 'paying waits');
      await world.sleep(Math.min(LONGEST_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** Math.min(10, outages)), signal);
      outages++;
    }
  }
}
