// Writes what a transition decided about a payout: its row, its bookings and its events, together.
import type { Moved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { payoutEventRow, type PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';
import { type LockedPayout, type PayoutEnd, updatePayout } from '../../db/tables/payouts/payouts.ts';

/** `payout` was locked in this transaction, and `moved` was decided from it. */
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
