// Runs a round of collecting. A collection or holding that causes an error is quarantined, and the next round goes on.
import { quarantineItem } from '../../flows/outgoing/quarantine-item.ts';
import { collectLease } from '../../db/tables/leases.ts';
import { MOST_BROKEN_IN_A_ROW, type QuarantinedItem } from '../../db/tables/outgoing/quarantines.ts';
import { Outage } from '../../runtime/outage.ts';
import type { CollectOutcome, LeasedCollector } from './parts.ts';
import { collectRound } from './round.ts';

/** How many characters of an error are stored. */
const LONGEST_REASON = 300;

/** Throws Outage, and errors that no single item explains. Such an error ends the chain's collector, and no other role. */
export async function collectRoundApart(collector: LeasedCollector): Promise<CollectOutcome> {
  const working: { item: QuarantinedItem | null } = { item: null };
  const { inARow } = collector;
  const onItem = (item: QuarantinedItem | null): void => {
    if (working.item !== null) inARow.broken = 0;
    working.item = item;
  };
  try {
    return await collectRound({ ...collector, onItem });
  } catch (error) {
    if (error instanceof Outage || working.item === null) throw error;
    await quarantine(collector, working.item, error);
    inARow.broken += 1;
    // mark: a-shared-bug-stops-the-collector
    if (inARow.broken >= MOST_BROKEN_IN_A_ROW) throw error;
    return 'busy';
  }
}

async function quarantine(
  { transact, world, lease, log, observer, writer }: LeasedCollector,
  item: QuarantinedItem,
  error: unknown,
): Promise<void> {
  const chain = writer.definition.name;
  const reason = String(error).slice(0, LONGEST_REASON);
  const broken = { leaseName: collectLease(chain), item, reason, nowMs: world.nowMs(), lease };
  // mark: a-broken-collection-stops-itself-alone
  await transact((tx) => quarantineItem(tx, broken));
  log.error(
    { flow: 'quarantine-item', chain, ...item, error },
    'an item broke and is left alone for an hour',
  );
  observer.onCollection(chain, 'broken');
}
