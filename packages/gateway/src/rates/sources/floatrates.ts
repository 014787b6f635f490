// FloatRates: once a day, every fiat name, in dollars, each with a time of its own.
import { memberOf, nonsense, optionalMember, readJson } from '../answer-json.ts';
import { textOf } from '../get.ts';
import { openSheet, priceFromNumber, timeFromDate } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** GET /daily/usd.json. */
export function createFloatrates(): PriceSource {
  return {
    name: 'floatrates',
    kind: 'fiat',
    url: 'https://www.floatrates.com',
    everyMs: 60 * 60_000,
    async fetch(get, symbols) {
      const answer = readJson(textOf(await get('/daily/usd.json')));
      const sheet = openSheet('floatrates');
      for (const fiat of symbols) {
        const entry = optionalMember(answer, fiat.toLowerCase());
        if (entry === undefined) continue;
        sheet.note('USD', fiat, () => {
          if (memberOf(entry, 'code') !== fiat) throw nonsense('is the entry of another currency');
          return {
            priceUnits: priceFromNumber(memberOf(entry, 'rate')),
            at: timeFromDate(memberOf(entry, 'date')),
          };
        });
      }
      return sheet.answer();
    },
  };
}
