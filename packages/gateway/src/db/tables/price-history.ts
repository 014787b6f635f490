// The price of one whole token of each currency in USD, each quarter of an hour.
import { MOST_PRICE_AGE_S, PRICE_EVERY_S } from '@ducat/core/money/price-history';
import type { Tx } from '../postgres/tx.ts';

export interface NotedPrice {
  readonly currencyId: number;
  /** Unix seconds. */
  readonly at: number;
  /** The price of one whole token, in 10^-18 USD. */
  readonly priceUnits: bigint;
}

/**
 * Keeps the first price of a currency in each quarter of an hour, or one each of two concurrent processes. Returns how
 * many.
 */
export async function insertPrices(tx: Tx, prices: readonly NotedPrice[]): Promise<number> {
  const rows = await tx.write(
    `INSERT INTO price_history (currency_id, at, price)
     SELECT * FROM unnest($1::integer[], $2::bigint[], $3::numeric[]) AS noted (currency_id, at, price)
     WHERE NOT EXISTS (SELECT FROM price_history AS kept WHERE kept.currency_id = noted.currency_id
       AND kept.at BETWEEN noted.at - noted.at % $4 AND noted.at - noted.at % $4 + $4 - 1)
     ON CONFLICT DO NOTHING RETURNING at`,
    [
      prices.map(({ currencyId }) => currencyId),
      prices.map(({ at }) => at),
      prices.map(({ priceUnits }) => String(priceUnits)),
      PRICE_EVERY_S,
    ],
  );
  return rows.length;
}

/** SQL of the newest price (`at`, `price`) of a currency that is not later than a time in milliseconds, nor too old for it. */
export const newestPrice = (currencyId: string, atMs: string): string => `
  SELECT at, price FROM price_history
  WHERE currency_id = ${currencyId} AND at <= ${atMs} / 1000 AND at >= ${atMs} / 1000 - ${MOST_PRICE_AGE_S}
  ORDER BY at DESC LIMIT 1`;
