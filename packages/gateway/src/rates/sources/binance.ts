// Binance spot: last prices in USDT, from the host that serves public market data only.
import { listOf, memberOf, numberTextOf, optionalMember, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { textOf } from '../get.ts';
import { createListRefresh } from '../list-refresh.ts';
import { openSheet, priceFromText, timeFromDigits } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** "Invalid symbol": one symbol that is not traded fails the whole request. */
const INVALID_SYMBOL = '-1121';

/** GET /api/v3/ticker/24hr?type=MINI. Now and then the request is for every pair, to learn which pairs are traded. */
export function createBinance(): PriceSource {
  let listed: ReadonlySet<string> = new Set();
  const refresh = createListRefresh();
  return {
    name: 'binance',
    kind: 'coin',
    url: 'https://data-api.binance.vision',
    everyMs: 20_000,
    async fetch(get, symbols) {
      const wanted = tickersOf(symbols)
        .filter(([, ticker]) => ticker !== 'USDT')
        .map(([symbol, ticker]) => [symbol, `${ticker}USDT`] as const);
      if (wanted.length === 0) return openSheet('binance').answer();
      const isListing = refresh.isDue(listed.size > 0);
      const pairs = [...new Set(wanted.map(([, pair]) => pair))].filter(
        (pair) => isListing || listed.has(pair),
      );
      const some = encodeURIComponent(JSON.stringify(pairs));
      const sheet = openSheet('binance');
      const http = await get(`/api/v3/ticker/24hr?type=MINI${isListing ? '' : `&symbols=${some}`}`);
      if (http.status === 400 && isInvalidSymbol(readJson(http.text))) refresh.forget();
      const tickers = new Map(
        listOf(readJson(textOf(http)), 'the answer').map((ticker) => [
          stringOf(memberOf(ticker, 'symbol'), 'a symbol'),
          ticker,
        ]),
      );
      listed = new Set(pairs.filter((pair) => tickers.has(pair)));
      refresh.note(listed);
      for (const [symbol, pair] of wanted) {
        const ticker = tickers.get(pair);
        if (ticker === undefined) continue;
        sheet.note(symbol, 'USDT', () => ({
          priceUnits: priceFromText(memberOf(ticker, 'lastPrice')),
          at: timeFromDigits(numberTextOf(memberOf(ticker, 'closeTime'), 'the time'), 'milliseconds'),
        }));
      }
      return sheet.answer();
    },
  };
}

function isInvalidSymbol(answer: unknown): boolean {
  return numberTextOf(optionalMember(answer, 'code'), 'the code') === INVALID_SYMBOL;
}
