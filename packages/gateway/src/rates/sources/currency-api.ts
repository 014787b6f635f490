// The community's currency-api, a file on a content delivery network: once a day, every fiat name, in dollars.
import { memberOf, optionalMember, readJson } from '../answer-json.ts';
import { textOf } from '../get.ts';
import { openSheet, priceFromNumber, timeFromDate } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** GET /v1/currencies/usd.json. It states a date without a time; the beginning of that day counts as the time. */
export function createCurrencyApi(): PriceSource {
  return {
    name: 'currency_api',
    kind: 'fiat',
    url: 'https://latest.currency-api.pages.dev',
    everyMs: 60 * 60_000,
    async fetch(get, symbols) {
      const answer = readJson(textOf(await get('/v1/currencies/usd.json')));
      const at = timeFromDate(memberOf(answer, 'date'));
      const rates = memberOf(answer, 'usd');
      const sheet = openSheet('currency_api');
      for (const fiat of symbols) {
        const rate = optionalMember(rates, fiat.toLowerCase());
        if (rate === undefined) continue;
        sheet.note('USD', fiat, () => ({ priceUnits: priceFromNumber(rate), at }));
      }
      return sheet.answer();
    },
  };
}
