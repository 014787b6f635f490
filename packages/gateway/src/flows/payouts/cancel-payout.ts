// Cancels a payout before anything is signed: a person cancels it or the second person declines. Releases what was reserved.
import { assert } from '@ducat/core/assert';
import {
  cancelPayout as decide,
  declinePayout,
  type Moved,
  type Unmoved,
} from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { cancelWaiting, lockWaitingSubject } from '../../db/tables/outgoing/requests.ts';
import { readAsker } from '../../db/tables/payouts/payout-askers.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

export interface CancelPayout {
  readonly tradeNo: string;
  /** Who cancels the payout, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
  /** Set where the second person declines. `personId` is the person who is signed in; null at the command line. */
  readonly decline?: { readonly personId: string | null };
}

/** The merchant is sent no event, because the contract has none for a cancelled payout. */
export async function cancelPayout(
  tx: Tx,
  { tradeNo, by, reason, nowMs, decline }: CancelPayout,
): Promise<Moved['outcome'] | Unmoved['outcome'] | 'unknown' | 'own-payout'> {
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  const isWaiting = payout.isClaimed && (await lockWaitingSubject(tx, 'payout', tradeNo));
  // mark: who-declines-is-another-person
  if (
    decline !== undefined &&
    decline.personId !== null &&
    (await readAsker(tx, tradeNo)) === decline.personId
  )
    return 'own-payout';
  const now = Math.floor(nowMs / 1000);
  // Decided before anything is written: a refusal must leave the outgoing transaction as it was.
  const step = decline === undefined ? decide(payout, isWaiting) : declinePayout(payout, now, isWaiting);
  if (step.outcome !== 'moved') return step.outcome;
  if (isWaiting) await cancelWaiting(tx, 'payout', tradeNo, nowMs);
  assert(step.events.length === 0, 'a cancelled payout has no event');
  await updatePayout(tx, step.payout, {
    time: now,
    txId: null,
    by,
    reason,
    isDeclined: decline !== undefined,
  });
  await insertEntries(tx, step.entries, nowMs);
  return step.outcome;
}
