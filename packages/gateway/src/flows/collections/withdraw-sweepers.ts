// Withdraws requests for sweepers that wait in trouble for too long, even where no collection needs the sweeper any more.
import { SWEEP_TROUBLE_MS } from '@ducat/core/collection/sweeper-request';
import type { Tx } from '../../db/postgres/tx.ts';
import { cancelStuckSweepers } from '../../db/tables/collections/sweepers.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';

export interface WithdrawSweepers {
  readonly chain: string;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** False where another process collects on the chain now. */
export async function withdrawSweepers(tx: Tx, { chain, nowMs, lease }: WithdrawSweepers): Promise<boolean> {
  if (!(await holdsLease(tx, collectLease(chain), lease))) return false;
  await cancelStuckSweepers(tx, chain, { troubledBeforeMs: nowMs - SWEEP_TROUBLE_MS, nowMs });
  return true;
}
