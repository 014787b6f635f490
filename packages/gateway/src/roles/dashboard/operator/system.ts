// For operators: which process does which job, what waits, and the configuration of this process.
import { readDepths } from '../../../db/reports/depths.ts';
import { readLeases } from '../../../db/tables/leases.ts';
import { answer, type Handler } from '../call.ts';
import { secondsOrNull } from '../texts.ts';

export const handleJobs: Handler<'jobs.list'> = async ({ deps: { reader } }) => {
  const leases = await readLeases(reader);
  const depths = await readDepths(reader);
  return answer({
    jobs: leases.map(({ name, holder, takenAtMs, renewals }) => ({
      job: name,
      holder,
      since: holder === null ? null : secondsOrNull(takenAtMs),
      renewals,
    })),
    queues: {
      pending_events: depths.pendingEvents,
      dead_events: depths.deadEvents,
      open_orders: depths.openOrders,
      seen_transfers: depths.seenTransfers,
      unassigned_receipts: depths.unassignedReceipts,
      free_addresses: depths.freeAddresses,
    },
  });
};

export const handleConfiguration: Handler<'configuration.read'> = async ({ deps: { configuration } }) =>
  answer({
    sections: configuration.sections.map(({ section, entries }) => ({ section, entries: [...entries] })),
    warnings: [...configuration.warnings],
  });
