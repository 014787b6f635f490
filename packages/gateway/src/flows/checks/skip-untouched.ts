// Nothing moved in these currencies: nothing of them has to be compared up to the block that was searched.
import type { HeldLease } from '../../db/tables/leases.ts';
import { moveTouched } from '../../db/tables/books/reserve-checks.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

export interface SkipUntouched {
  readonly lease: HeldLease;
  readonly chain: string;
  /** By currency, the block up to which nothing moved. */
  readonly untouched: ReadonlyMap<number, number>;
}

/** False where the lease was lost, and nothing was written. */
export async function skipUntouched(tx: Tx, { lease, chain, untouched }: SkipUntouched): Promise<boolean> {
  if (!(await mayRecordChecks(tx, lease))) return false;
  await moveTouched(tx, chain, untouched);
  return true;
}
