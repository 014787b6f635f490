// OKX: index prices in dollars, which OKX makes from several exchanges; one request for all coins.
import { listOf, memberOf, nonsense, printable, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { textOf } from '../get.ts';
import { openSheet, priceFromText, timeFromDigits } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** GET /api/v5/market/index-tickers?quoteCcy=USD. */
export function createOkx(): PriceSource {
  return {
    name: 'okx',
    kind: 'coin',
    url: 'https://www.okx.com',
    everyMs: 20_000,
    async fetch(get, symbols) {
      const answer = readJson(textOf(await get('/api/v5/market/index-tickers?quoteCcy=USD')));
      const code = stringOf(memberOf(answer, 'code'), 'the code');
      if (code !== '0') throw nonsense(`answered code ${printable(code)}`);
      const indexes = new Map(
        listOf(memberOf(answer, 'data'), 'data').map((index) => [
          stringOf(memberOf(index, 'instId'), 'the name of an index'),
          index,
        ]),
      );
      const sheet = openSheet('okx');
      for (const [symbol, ticker] of tickersOf(symbols)) {
        const index = indexes.get(`${ticker}-USD`);
        if (index === undefined) continue;
        sheet.note(symbol, 'USD', () => ({
          priceUnits: priceFromText(memberOf(index, 'idxPx')),
          at: timeFromDigits(stringOf(memberOf(index, 'ts'), 'the time'), 'milliseconds'),
        }));
      }
      return sheet.answer();
    },
  };
}
