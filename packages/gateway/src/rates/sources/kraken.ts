// Kraken spot: the middle between bid and ask in dollars, USDT among the coins.
import { divide } from '@ducat/core/money/amount';
import { listOf, memberOf, nonsense, optionalMember, printable, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { textOf } from '../get.ts';
import { createListRefresh } from '../list-refresh.ts';
import { openSheet, priceFromText } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/**
 * GET /0/public/Ticker. Without `pair` Kraken answers for all pairs, which shows its name for each pair. A pair that it does
 * not know fails the whole request. The answer has no time of its own, so bid and ask have the time of its Date header.
 */
export function createKraken(): PriceSource {
  let pairs: ReadonlyMap<string, string> = new Map();
  const refresh = createListRefresh();
  return {
    name: 'kraken',
    kind: 'coin',
    url: 'https://api.kraken.com',
    everyMs: 20_000,
    async fetch(get, symbols) {
      if (tickersOf(symbols).length === 0) return openSheet('kraken').answer();
      const sheet = openSheet('kraken');
      const known = [...new Set(pairs.values())].map(encodeURIComponent);
      const query = refresh.isDue(pairs.size > 0) ? '' : `?pair=${known.join(',')}`;
      const http = await get(`/0/public/Ticker${query}`);
      const answer = readJson(textOf(http));
      const errors = listOf(memberOf(answer, 'error'), 'error');
      if (errors.length > 0) {
        // One of the pairs may be gone, so the next request is for all pairs again.
        refresh.forget();
        throw nonsense(`answered ${printable(stringOf(errors[0], 'an error'))}`);
      }
      const result = memberOf(answer, 'result');
      const at = http.date;
      if (at === null) throw nonsense('answered without a Date header');
      pairs = pairNames(result, symbols);
      refresh.note(pairs.keys());
      for (const [symbol, pair] of pairs) {
        sheet.note(symbol, 'USD', () => ({ priceUnits: middle(memberOf(result, pair)), at }));
      }
      return sheet.answer();
    },
  };
}

/** In Kraken's names older coins begin with X and currencies with Z: XETHZUSD, USDTZUSD, BNBUSD; bitcoin is XBT. */
function pairNames(result: unknown, symbols: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [symbol, ticker] of tickersOf(symbols)) {
    const name = ticker === 'BTC' ? 'XBT' : ticker === 'DOGE' ? 'XDG' : ticker;
    const pair = [`X${name}ZUSD`, `${name}ZUSD`, `${name}USD`].find(
      (candidate) => optionalMember(result, candidate) !== undefined,
    );
    if (pair !== undefined) names.set(symbol, pair);
  }
  return names;
}

/** `a` and `b` are lists whose first element is the best ask and bid. */
function middle(ticker: unknown): bigint {
  const ask = priceFromText(listOf(memberOf(ticker, 'a'), 'the ask')[0]);
  const bid = priceFromText(listOf(memberOf(ticker, 'b'), 'the bid')[0]);
  if (bid === 0n || ask === 0n) throw nonsense('nobody bids or asks');
  if (bid > ask) throw nonsense('the bid is above the ask');
  return divide(bid + ask, 2n, 'down');
}
