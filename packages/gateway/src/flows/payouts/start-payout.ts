// A payout's transaction is signed: from here on only the chain decides what becomes of it.
import { type Moved, startPayout as decide, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

/** For the transaction that stores the signed bytes. Anything but `moved` means that they must not be sent. */
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
