// Runs a round of paying. An item that causes an error is put into quarantine, and all others go on.
import { payLease } from '../../db/tables/leases.ts';
import { MOST_BROKEN_IN_A_ROW, readPayable } from '../../db/tables/outgoing/quarantines.ts';
import { quarantineItem } from '../../flows/outgoing/quarantine-item.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedPayer } from './parts.ts';
import { MOST_AT_ONCE, payRound, type Rounded } from './round.ts';

/** How many characters of an error are stored. */
const LONGEST_REASON = 300;

/** Throws Outage, and errors that no single item explains. Such an error ends the chain's payer, and no other role. */
export async function payRoundApart(payer: LeasedPayer, before: number | null): Promise<Rounded> {
  try {
    return await payRound(payer, before);
  } catch (error) {
    if (error instanceof Outage) throw error;
    if ((await quarantineBroken(payer, before)) === 0) throw error;
    return { outcome: 'busy', checked: before };
  }
}

/** Gives each item a round of its own; stored work is not done twice. Returns how many items were quarantined. */
async function quarantineBroken(payer: LeasedPayer, before: number | null): Promise<number> {
  const { writer, reader, world, transact, lease, log, observer } = payer;
  const { definition } = writer;
  const chain = definition.name;
  let broken = 0;
  let inARow = 0;
  for (const item of await readPayable(reader, {
    chain: definition,
    nowMs: world.nowMs(),
    limit: MOST_AT_ONCE,
  })) {
    try {
      await payRound(payer, before, item);
      inARow = 0;
    } catch (error) {
      if (error instanceof Outage) throw error;
      const reason = String(error).slice(0, LONGEST_REASON);
      // mark: a-broken-item-stops-itself-alone
      const leaseName = payLease(chain);
      await transact((tx) => quarantineItem(tx, { leaseName, item, reason, nowMs: world.nowMs(), lease }));
      log.error(
        { flow: 'quarantine-item', chain, ...item, error },
        'an item broke and is left alone for an hour',
      );
      observer.onBroken(chain, reason);
      broken++;
      // mark: a-shared-bug-stops-the-payer
      if (++inARow >= MOST_BROKEN_IN_A_ROW) throw error;
    }
  }
  return broken;
}
