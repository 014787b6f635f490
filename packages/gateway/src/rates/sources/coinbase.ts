// Coinbase Exchange: last trades in dollars, one question for each coin that it trades.
import { listOf, memberOf, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { textOf } from '../get.ts';
import { openSheet, priceFromText, timeFromDate } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** So often the products are believed to be the same. */
const ROUNDS_BETWEEN_LISTINGS = 500;
/** A bound for one round, above what the whole catalogue asks for. */
const MAX_PRODUCTS = 120;

/** GET /products once in a while, then GET /products/<id>/ticker in turn, which stays far below ten a second. */
export function createCoinbase(): PriceSource {
  let products: ReadonlySet<string> | null = null;
  let rounds = 0;
  return {
    name: 'coinbase',
    kind: 'coin',
    url: 'https://api.exchange.coinbase.com',
    everyMs: 30_000,
    async fetch(get, symbols) {
      if (rounds++ % ROUNDS_BETWEEN_LISTINGS === 0) products = null;
      products ??= new Set(
        listOf(readJson(textOf(await get('/products'))), 'the list of products').map((product) =>
          stringOf(memberOf(product, 'id'), 'the id of a product'),
        ),
      );
      const sheet = openSheet('coinbase');
      let asked = 0;
      for (const [symbol, ticker] of tickersOf(symbols)) {
        const product = `${ticker}-USD`;
        if (!products.has(product) || asked === MAX_PRODUCTS) continue;
        asked += 1;
        const http = await get(`/products/${product}/ticker`);
        // Delisted or closed since the list was read: the list is read again next time.
        if (http.status === 404 || http.status === 400) {
          rounds = 0;
          continue;
        }
        const text = textOf(http);
        sheet.note(symbol, 'USD', () => {
          const answer = readJson(text);
          return {
            priceUnits: priceFromText(memberOf(answer, 'price')),
            at: timeFromDate(memberOf(answer, 'time')),
          };
        });
      }
      return sheet.answer();
    },
  };
}
