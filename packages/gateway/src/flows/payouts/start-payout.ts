// Starts a payout whose transaction is signed. From here on only the chain decides what becomes of the payout.
import { type Moved, startPayout as decide, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

/** Called in the database transaction that stores the signed bytes. `on-its-way`: an earlier variant started the payout. */
export async function startPayout(
  tx: Tx,
  tradeNo: string,
  nowMs: number,
): Promise<Moved['outcome'] | Unmoved['outcome'] | 'unknown'> {
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  const step = decide(payout, Math.floor(nowMs / 1000));
  if (step.outcome === 'moved') await updatePayout(tx, step.payout);
  return step.outcome;
}
