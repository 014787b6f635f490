// Gives a payout back that was claimed and for which nothing was signed.
import { type Moved, type Unmoved, unclaimPayout as decide } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

/** For the transaction in which it is settled that nothing will be signed. */
export async function unclaimPayout(
  tx: Tx,
  tradeNo: string,
): Promise<Moved['outcome'] | Unmoved['outcome'] | 'unknown'> {
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  const step = decide(payout);
  if (step.outcome === 'moved') await updatePayout(tx, step.payout);
  return step.outcome;
}
