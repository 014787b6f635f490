// What was removed counts again where an order came before the start with which it was to go.
import { type AdditionKey, setRemoved } from '../../db/tables/added-chains.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export async function restoreAdditions(tx: Tx, keys: readonly AdditionKey[]): Promise<void> {
  for (const key of keys) await setRemoved(tx, key, null);
}
