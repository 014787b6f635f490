// The open endpoint of ExchangeRate-API: once a day, every fiat name, in dollars. Asked at most once an hour.
import { memberOf, nonsense, numberTextOf, optionalMember, readJson } from '../answer-json.ts';
import { textOf } from '../get.ts';
import { openSheet, priceFromNumber, timeFromDigits } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** GET /v6/latest/USD. Its terms ask for attribution where the rates are shown. */
export function createErApi(): PriceSource {
  return {
    name: 'er_api',
    kind: 'fiat',
    url: 'https://open.er-api.com',
    everyMs: 60 * 60_000,
    async fetch(get, symbols) {
      const answer = readJson(textOf(await get('/v6/latest/USD')));
      if (memberOf(answer, 'result') !== 'success') throw nonsense('does not call its answer a success');
      if (memberOf(answer, 'base_code') !== 'USD') throw nonsense('answered with rates of another currency');
      const updated = numberTextOf(memberOf(answer, 'time_last_update_unix'), 'the time');
      const at = timeFromDigits(updated, 'seconds');
      const rates = memberOf(answer, 'rates');
      const sheet = openSheet('er_api');
      for (const fiat of symbols) {
        const rate = optionalMember(rates, fiat);
        if (rate === undefined) continue;
        sheet.note('USD', fiat, () => ({ priceUnits: priceFromNumber(rate), at }));
      }
      return sheet.answer();
    },
  };
}
