// Begins the next round over all used addresses of a chain in one currency.
import type { HeldLease } from '../../db/tables/leases.ts';
import { beginRound, lockReserveCheck, type ReserveCheck } from '../../db/tables/books/reserve-checks.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

export interface RoundBegin {
  readonly lease: HeldLease;
  readonly chain: string;
  readonly currencyId: number;
  readonly nowMs: number;
}

/** The check with its new round; null where the lease was lost or the currency is not compared any more. */
export async function startRound(
  tx: Tx,
  { lease, chain, currencyId, nowMs }: RoundBegin,
): Promise<ReserveCheck | null> {
  if (!(await mayRecordChecks(tx, lease))) return null;
  await beginRound(tx, chain, currencyId, nowMs);
  return lockReserveCheck(tx, chain, currencyId);
}
