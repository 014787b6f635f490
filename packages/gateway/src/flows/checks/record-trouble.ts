// Records why the balances of a currency could not be compared, so that an old result is not shown as current.
import { dayOf } from '@ducat/core/reserves/day';
import { addFailure } from '../../db/tables/books/reserve-days.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import { setTrouble } from '../../db/tables/books/reserve-checks.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

/** Longer texts are cut, such as a list of the reports of many providers. */
const LONGEST_TROUBLE = 500;

export interface CheckTrouble {
  readonly lease: HeldLease;
  readonly chain: string;
  readonly currencyId: number;
  readonly trouble: string;
  readonly nowMs: number;
}

/** False where the lease was lost; nothing was written. */
export async function recordTrouble(
  tx: Tx,
  { lease, chain, currencyId, trouble, nowMs }: CheckTrouble,
): Promise<boolean> {
  if (!(await mayRecordChecks(tx, lease))) return false;
  const cut = trouble.slice(0, LONGEST_TROUBLE);
  await setTrouble(tx, chain, currencyId, cut, nowMs);
  await addFailure(tx, { day: dayOf(nowMs), chain, currencyId }, cut);
  return true;
}
