// Ends the payouts whose transactions final blocks hold: in the transaction in which those blocks become final.
import { assert } from '@ducat/core/assert';
import type { Tx } from '../../db/postgres/tx.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import type { EndedOutgoing } from '../outgoing/settle-outgoing.ts';
import { completePayout } from './complete-payout.ts';
import { failPayout } from './fail-payout.ts';

/** One that moved something else than promised stays as it is: a person decides that. */
export async function endPayouts(
  tx: Tx,
  ended: readonly EndedOutgoing[],
  writing: PayoutEventWriting,
): Promise<void> {
  for (const one of ended) {
    if (one.subjectKind !== 'payout' || one.verdict === 'mismatched') continue;
    const outcome = await endPayout(tx, one, writing);
    assert(
      outcome === 'moved' || outcome === 'unknown',
      `payout ${one.subjectId} was ${outcome} when it ended`,
    );
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
