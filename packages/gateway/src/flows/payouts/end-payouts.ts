// Ends the payouts whose transactions final blocks hold, in the database transaction in which those blocks become final.
import type { Tx } from '../../db/postgres/tx.ts';
import { suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import type { EndedOutgoing } from '../outgoing/settle-outgoing.ts';
import { completePayout } from './complete-payout.ts';
import { failPayout } from './fail-payout.ts';

/** A payout whose transaction is mismatched stays as it is, because a person decides about it. */
export async function endPayouts(
  tx: Tx,
  ended: readonly EndedOutgoing[],
  writing: PayoutEventWriting,
): Promise<void> {
  for (const one of ended) {
    if (one.subjectKind !== 'payout' || one.verdict === 'mismatched') continue;
    const outcome = await endPayout(tx, one, writing);
    if (outcome === 'moved' || outcome === 'unknown') continue;
    // The payout may have been paid twice. The chain goes on, but the currency pays nothing more until a person has looked.
    const reason = `payout ${one.subjectId} was ${outcome} when its transaction ${one.inclusion.txId} was final`;
    await suspendCurrency(tx, one.promised.amount.currencyId, reason, writing.nowMs);
  }
}

function endPayout(
  tx: Tx,
  { subjectId, verdict, promised, inclusion }: EndedOutgoing,
  writing: PayoutEventWriting,
) {
  const { chain, txId, block } = inclusion;
  const { encodeTransfer, newEventId, nowMs } = writing;
  const common = { tradeNo: subjectId, encodeTransfer, newEventId, nowMs };
  if (verdict === 'failed') return failPayout(tx, { ...common, proof: { txId, time: block.time } });
  const { to, amount } = promised;
  return completePayout(tx, { ...common, transfer: { chain, txId, to, amount, block } });
}
