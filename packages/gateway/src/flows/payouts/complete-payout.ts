// Completes a payout that reached its recipient by a final transfer of exactly what was promised.
import {
  completePayout as decide,
  type Moved,
  type PayingTransfer,
  type Unmoved,
} from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { lockPayout } from '../../db/tables/payouts/payouts.ts';
import { writeMoved } from './write-moved.ts';

export interface CompletePayout extends PayoutEventWriting {
  readonly tradeNo: string;
  /** Final, and booked as sent in this transaction or an earlier one. */
  readonly transfer: PayingTransfer;
}

/** Called in the database transaction that settles the transfer. Ends a payout once; a second call changes nothing. */
export async function completePayout(
  tx: Tx,
  input: CompletePayout,
): Promise<Moved['outcome'] | Unmoved['outcome'] | 'unknown'> {
  const payout = await lockPayout(tx, input.tradeNo);
  if (payout === null) return 'unknown';
  const step = decide(payout, input.transfer);
  if (step.outcome !== 'moved') return step.outcome;
  const { txId, block } = input.transfer;
  const end = { time: block.time, txId, by: null, reason: null };
  await writeMoved(tx, payout, step, { ...input, end });
  return step.outcome;
}
