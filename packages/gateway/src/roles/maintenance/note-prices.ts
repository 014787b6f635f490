// Notes what each currency costs in USD, so that statements can say what a receipt was worth when it was booked.
import type { ChainReader } from '../../chains/port/reader.ts';
import type { Transact } from '../../db/postgres/tx.ts';
import { notePrices } from '../../flows/currencies/note-prices.ts';
import type { RateSource } from '../../rates/port.ts';

export interface PriceNotes {
  readonly chains: readonly Pick<ChainReader, 'definition'>[];
  readonly rates: Pick<RateSource, 'quote'>;
  readonly transact: Transact;
}

/**
 * Notes the price of each currency; returns how many were noted. The round runs more often than prices are kept, because
 * right after a start the sources may not have answered yet.
 */
export async function priceRound({ chains, rates, transact }: PriceNotes): Promise<number> {
  const currencies = chains.flatMap(({ definition }) => definition.currencies);
  const prices = await Promise.all(
    currencies.map(async (currency) => {
      const quote = await rates.quote(currency, 'USD');
      if (!quote.ok) return [];
      const { at, rate } = quote.value;
      return [{ currencyId: currency.currencyId, at, priceUnits: rate.priceUnits }];
    }),
  );
  return transact((tx) => notePrices(tx, prices.flat()), 'one-statement');
}
