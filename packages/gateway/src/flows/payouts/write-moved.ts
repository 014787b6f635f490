// Writes the result of a payout's transition: its row, its entries and its events, in one database transaction.
import type { Moved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { payoutEventRow, type PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';
import { type LockedPayout, type PayoutEnd, updatePayout } from '../../db/tables/payouts/payouts.ts';

/** `payout` was locked in this database transaction, and `moved` is the transition that was decided for it. */
export async function writeMoved(
  tx: Tx,
  payout: LockedPayout,
  moved: Moved,
  how: PayoutEventWriting & { readonly end: PayoutEnd },
): Promise<void> {
  const { payout: after, kept } = moved;
  await updatePayout(tx, after, kept === undefined ? how.end : { ...how.end, kept });
  await insertEntries(tx, moved.entries, how.nowMs);
  await insertEvents(
    tx,
    moved.events.map((event) => payoutEventRow(event, payout, how)),
  );
}
