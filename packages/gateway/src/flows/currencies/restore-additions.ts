// Settles at a start what was changed or removed since the last one. Rows whose currencies were used are restored.
import { type AdditionKey, setRemoved, settleChange } from '../../db/tables/added-chains.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface Unsettled extends AdditionKey {
  /** The sealed content as it is now, changed or not. */
  readonly sealed: Buffer;
  readonly isOvertaken: boolean;
}

export async function restoreAdditions(tx: Tx, rows: readonly Unsettled[]): Promise<void> {
  for (const row of rows) {
    await settleChange(tx, row, row.sealed, row.isOvertaken ? 'before' : 'changed');
    if (row.isOvertaken) await setRemoved(tx, row, null);
  }
}
