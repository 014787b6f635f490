// Coinbase Exchange: last trades in dollars, with one request for each coin that it trades.
import { Outage } from '../../runtime/outage.ts';
import { listOf, memberOf, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { type Get, textOf } from '../get.ts';
import { createListRefresh } from '../list-refresh.ts';
import { openSheet, priceFromText, timeFromDate } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** A limit for one round, above the number of products of the whole catalogue. */
const MAX_PRODUCTS = 120;
/** An address may send ten requests a second, and other processes may share ours. */
const GAP_MS = 150;

/**
 * GET /products once in a while, then GET /products/<id>/ticker for each product in turn. Where Coinbase asks for a pause or
 * does not answer, the round ends with the prices that it has, and the next round begins where this one ended. A product
 * that fails even in first place is skipped, so that it keeps no other product from its turn.
 */
export function createCoinbase(): PriceSource {
  let products: ReadonlySet<string> = new Set();
  const refresh = createListRefresh();
  let first = '';
  return {
    name: 'coinbase',
    kind: 'coin',
    url: 'https://api.exchange.coinbase.com',
    everyMs: 30_000,
    gapMs: GAP_MS,
    async fetch(get, symbols) {
      const sheet = openSheet('coinbase');
      if (tickersOf(symbols).length === 0) return sheet.answer();
      const isListing = refresh.isDue(products.size > 0);
      if (isListing) products = await listProducts(get);
      const names = namesByProduct(symbols, products);
      if (isListing) refresh.note(names.size === 0 ? [] : products);
      const wanted = startingWith([...names.keys()].slice(0, MAX_PRODUCTS), first);
      const round = await askInTurn(get, wanted, (product, text) => {
        // The product was delisted or closed since the list was read, so the next round reads the list again.
        if (text === null) refresh.forget();
        else for (const name of names.get(product) ?? []) sheet.note(name, 'USD', () => lastTrade(text));
      });
      first = round.next;
      if (round.failure === null) return sheet.answer();
      if (!round.isAnswered) throw round.failure;
      const { readings, refused } = sheet.answer();
      return { readings, refused: [...refused, ended(round.left, round.failure)] };
    },
  };
}

interface Round {
  /** The product that the next round begins with; "" for the first of all. */
  readonly next: string;
  /** The last failure; null where there was an answer for every product. */
  readonly failure: Outage | null;
  /** Whether there was an answer for any product. */
  readonly isAnswered: boolean;
  /** How many products had no answer. */
  readonly left: number;
}

/** Reports the text of each answer, or null where a product is gone. One failure in first place does not end the round. */
async function askInTurn(
  get: Get,
  products: readonly string[],
  report: (product: string, text: string | null) => void,
): Promise<Round> {
  let skipped: Outage | null = null;
  let isAnswered = false;
  for (const [place, product] of products.entries()) {
    const answer = await askTicker(get, product);
    if (!('failure' in answer)) {
      isAnswered = true;
      report(product, answer.text);
      continue;
    }
    const { failure, isRest } = answer;
    if (place > 0 || isRest) {
      const next = isAnswered ? product : (products[place + 1] ?? '');
      const left = products.length - place + (skipped === null ? 0 : 1);
      return { next, failure, isAnswered, left };
    }
    skipped = failure;
  }
  const next = skipped === null ? '' : (products[1] ?? '');
  return { next, failure: skipped, isAnswered, left: skipped === null ? 0 : 1 };
}

async function listProducts(get: Get): Promise<ReadonlySet<string>> {
  const listed = listOf(readJson(textOf(await get('/products'))), 'the list of products');
  return new Set(listed.map((product) => stringOf(memberOf(product, 'id'), 'the id of a product')));
}

/** ETH and WETH are one product, so it is asked for once. */
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

type Ticker = { readonly text: string | null } | { readonly failure: Outage; readonly isRest: boolean };

/** The text is null for a product that is gone. `isRest` means that Coinbase asks for a pause. */
async function askTicker(get: Get, product: string): Promise<Ticker> {
  let isRest = false;
  try {
    const http = await get(`/products/${product}/ticker`);
    isRest = http.status === 429;
    return { text: http.status === 404 || http.status === 400 ? null : textOf(http) };
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return { failure: error, isRest };
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
