// Takes payouts that may be sent now; from here on they are not cancelled.
import { assert } from '@ducat/core/assert';
import { claimPayout } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { type LockedPayout, lockReadyPayouts, updatePayout } from '../../db/tables/payouts/payouts.ts';

export interface ClaimPayouts {
  readonly chain: string;
  /** At most so many, the oldest. */
  readonly limit: number;
  readonly nowMs: number;
}

/**
 * For the transaction that stores what is to be signed for them: each is claimed once, and stays so until it has ended.
 * A chain that is halted and a currency that is suspended have none.
 */
export async function claimPayouts(
  tx: Tx,
  { chain, limit, nowMs }: ClaimPayouts,
): Promise<readonly LockedPayout[]> {
  const now = Math.floor(nowMs / 1000);
  const ready = await lockReadyPayouts(tx, chain, { now, limit });
  for (const payout of ready) {
    const claimed = claimPayout(payout, now);
    assert(claimed.outcome === 'moved', `payout ${payout.tradeNo} was ready and is ${claimed.outcome}`);
    await updatePayout(tx, claimed.payout);
  }
  return ready;
}
