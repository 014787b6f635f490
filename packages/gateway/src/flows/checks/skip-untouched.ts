// Moves the touched blocks of currencies on where nothing moved, because there is nothing to compare.
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

/** False where the lease was lost; nothing was written. */
export async function skipUntouched(tx: Tx, { lease, chain, untouched }: SkipUntouched): Promise<boolean> {
  if (!(await mayRecordChecks(tx, lease))) return false;
  await moveTouched(tx, chain, untouched);
  return true;
}
