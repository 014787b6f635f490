// Coinbase Exchange: last trades in dollars, one question for each coin that it trades.
import { Outage } from '../../outage.ts';
import { listOf, memberOf, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { type Get, type HttpAnswer, textOf } from '../get.ts';
import { openSheet, priceFromText, timeFromDate } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** So often the products are believed to be the same. */
const ROUNDS_BETWEEN_LISTINGS = 500;
/** A bound for one round, above what the whole catalogue asks for. */
const MAX_PRODUCTS = 120;
/** Ten questions a second are allowed to an address, and other processes may share ours. */
const GAP_MS = 150;

/**
 * GET /products once in a while, then GET /products/<id>/ticker in turn, each once. Where it asks for a rest or does not
 * answer, the round ends with the prices that are there, and the next one begins where this one ended.
 */
export function createCoinbase(): PriceSource {
  let products: ReadonlySet<string> | null = null;
  let rounds = 0;
  let first = '';
  return {
    name: 'coinbase',
    kind: 'coin',
    url: 'https://api.exchange.coinbase.com',
    everyMs: 30_000,
    gapMs: GAP_MS,
    async fetch(get, symbols) {
      if (rounds++ % ROUNDS_BETWEEN_LISTINGS === 0) products = null;
      products ??= await listProducts(get);
      const sheet = openSheet('coinbase');
      const names = namesByProduct(symbols, products);
      const wanted = startingWith([...names.keys()].slice(0, MAX_PRODUCTS), first);
      first = '';
      for (const [place, product] of wanted.entries()) {
        const answer = await askTicker(get, product, place === 0);
        if (answer instanceof Outage) {
          first = product;
          return {
            ...sheet.answer(),
            refused: [...sheet.answer().refused, ended(wanted.length - place, answer)],
          };
        }
        // Delisted or closed since the list was read: the list is read again next time.
        if (answer === null) rounds = 0;
        else for (const name of names.get(product) ?? []) sheet.note(name, 'USD', () => lastTrade(answer));
      }
      return sheet.answer();
    },
  };
}

async function listProducts(get: Get): Promise<ReadonlySet<string>> {
  const listed = listOf(readJson(textOf(await get('/products'))), 'the list of products');
  return new Set(listed.map((product) => stringOf(memberOf(product, 'id'), 'the id of a product')));
}

/** ETH and WETH are one product, which is asked for once. */
function namesByProduct(
  symbols: readonly string[],
  products: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const [name, ticker] of tickersOf(symbols)) {
    const product = `${ticker}-USD`;
    if (products.has(product)) names.set(product, [...(names.get(product) ?? []), name]);
  }
  return names;
}

function startingWith(products: readonly string[], first: string): readonly string[] {
  const at = Math.max(0, products.indexOf(first));
  return [...products.slice(at), ...products.slice(0, at)];
}

/** The text of an answer, null for a product that is gone, or why the round ends. Throws Outage at the first product. */
async function askTicker(get: Get, product: string, isFirst: boolean): Promise<string | null | Outage> {
  try {
    const http: HttpAnswer = await get(`/products/${product}/ticker`);
    return http.status === 404 || http.status === 400 ? null : textOf(http);
  } catch (error) {
    if (isFirst || !(error instanceof Outage)) throw error;
    return error;
  }
}

function lastTrade(text: string): { readonly priceUnits: bigint; readonly at: number } {
  const answer = readJson(text);
  return {
    priceUnits: priceFromText(memberOf(answer, 'price')),
    at: timeFromDate(memberOf(answer, 'time')),
  };
}

function ended(count: number, { message }: Outage): string {
  return `${count} ${count === 1 ? 'product was' : 'products were'} left for the next round: ${message}`;
}
