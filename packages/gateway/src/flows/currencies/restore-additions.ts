// A start settles what was changed or removed since the one before: where something was taken in it meanwhile, what it was counts on.
import { type AdditionKey, setRemoved, settleChange } from '../../db/tables/added-chains.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface Unsettled extends AdditionKey {
  /** As it stands now, changed or not. */
  readonly sealed: Buffer;
  readonly isOvertaken: boolean;
}

export async function restoreAdditions(tx: Tx, rows: readonly Unsettled[]): Promise<void> {
  for (const row of rows) {
    await settleChange(tx, row, row.sealed, row.isOvertaken ? 'before' : 'changed');
    if (row.isOvertaken) await setRemoved(tx, row, null);
  }
}
