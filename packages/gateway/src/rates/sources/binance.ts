// Binance spot: last prices in USDT, from the host that serves public market data only.
import { listOf, memberOf, numberTextOf, optionalMember, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { textOf } from '../get.ts';
import { openSheet, priceFromText, timeFromDigits } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** So often the listed pairs are asked for without looking which of them Binance still trades. */
const ROUNDS_BETWEEN_LISTINGS = 1_000;
/** "Invalid symbol": one that is not traded spoils the whole question. */
const INVALID_SYMBOL = '-1121';

/** GET /api/v3/ticker/24hr?type=MINI. The first question is for every pair, so as to learn which are traded. */
export function createBinance(): PriceSource {
  let listed: ReadonlySet<string> | null = null;
  let rounds = 0;
  return {
    name: 'binance',
    kind: 'coin',
    url: 'https://data-api.binance.vision',
    everyMs: 20_000,
    async fetch(get, symbols) {
      const wanted = tickersOf(symbols)
        .filter(([, ticker]) => ticker !== 'USDT')
        .map(([symbol, ticker]) => [symbol, `${ticker}USDT`] as const);
      if (rounds++ % ROUNDS_BETWEEN_LISTINGS === 0) listed = null;
      const pairs = [...new Set(wanted.map(([, pair]) => pair))].filter((pair) => listed?.has(pair) ?? true);
      const some = encodeURIComponent(JSON.stringify(pairs));
      const sheet = openSheet('binance');
      if (pairs.length === 0) return sheet.answer();
      const http = await get(`/api/v3/ticker/24hr?type=MINI${listed === null ? '' : `&symbols=${some}`}`);
      if (http.status === 400 && isInvalidSymbol(readJson(http.text))) listed = null;
      const tickers = new Map(
        listOf(readJson(textOf(http)), 'the answer').map((ticker) => [
          stringOf(memberOf(ticker, 'symbol'), 'a symbol'),
          ticker,
        ]),
      );
      listed = new Set(pairs.filter((pair) => tickers.has(pair)));
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
