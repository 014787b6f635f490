// A person cancels a payout before anything was signed for it: all that it took is its app's again.
import { assert } from '@ducat/core/assert';
import { cancelPayout as decide, type Moved, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { cancelWaiting } from '../../db/tables/outgoing/requests.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

export interface CancelPayout {
  readonly tradeNo: string;
  /** Who cancels it, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

/** Its merchant is sent nothing: the contract has no event for it. */
export async function cancelPayout(
  tx: Tx,
  { tradeNo, by, reason, nowMs }: CancelPayout,
): Promise<Moved['outcome'] | Unmoved['outcome'] | 'unknown'> {
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  // Decided before anything is written: a refusal must leave its transaction as it was.
  const step = decide({ ...payout, isClaimed: false });
  if (step.outcome !== 'moved') return step.outcome;
  // What waits to be prepared can be taken back: nothing will be signed for it.
  if (payout.isClaimed && !(await cancelWaiting(tx, 'payout', tradeNo, nowMs))) return 'on-its-way';
  assert(step.events.length === 0, 'a cancelled payout has no event');
  await updatePayout(tx, step.payout, { time: Math.floor(nowMs / 1000), txId: null, by, reason });
  await insertEntries(tx, step.entries, nowMs);
  return step.outcome;
}
