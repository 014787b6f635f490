// Keeps what currencies cost now, once for each quarter of an hour.
import { insertPrices, type NotedPrice } from '../../db/tables/price-history.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Returns how many were not known yet. */
export function notePrices(tx: Tx, prices: readonly NotedPrice[]): Promise<number> {
  return insertPrices(tx, prices);
}
