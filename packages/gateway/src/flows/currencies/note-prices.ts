// Adds the current prices of currencies to the price history, once for each quarter of an hour.
import { insertPrices, type NotedPrice } from '../../db/tables/price-history.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Returns how many prices were new. */
export function notePrices(tx: Tx, prices: readonly NotedPrice[]): Promise<number> {
  return insertPrices(tx, prices);
}
