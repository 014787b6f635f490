// CoinGecko, an average over many exchanges: one request for all coins, with or without a key of the operator.
import { memberOf, numberTextOf, optionalMember, readJson } from '../answer-json.ts';
import { coingeckoIdsOf } from '../assets.ts';
import { textOf } from '../get.ts';
import { openSheet, priceFromNumber, timeFromDigits } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** GET /simple/price. Without a key it allows a few requests a minute, and renews its prices about once a minute. */
export function createCoingecko(): PriceSource {
  return {
    name: 'coingecko',
    kind: 'coin',
    url: 'https://api.coingecko.com/api/v3',
    everyMs: 60_000,
    async fetch(get, symbols) {
      const sheet = openSheet('coingecko');
      const wanted = coingeckoIdsOf(symbols);
      if (wanted.length === 0) return sheet.answer();
      const ids = [...new Set(wanted.map(([, id]) => id))].map(encodeURIComponent).join(',');
      const query = `ids=${ids}&vs_currencies=usd&include_last_updated_at=true&precision=full`;
      const answer = readJson(textOf(await get(`/simple/price?${query}`)));
      for (const [symbol, id] of wanted) {
        const coin = optionalMember(answer, id);
        if (coin === undefined) continue;
        sheet.note(symbol, 'USD', () => ({
          priceUnits: priceFromNumber(memberOf(coin, 'usd')),
          at: timeFromDigits(numberTextOf(memberOf(coin, 'last_updated_at'), 'the time'), 'seconds'),
        }));
      }
      return sheet.answer();
    },
  };
}
