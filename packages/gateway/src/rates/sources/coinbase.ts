// Coinbase Exchange: last trades in dollars, one question for each coin that it trades.
import { Outage } from '../../runtime/outage.ts';
import { listOf, memberOf, readJson, stringOf } from '../answer-json.ts';
import { tickersOf } from '../assets.ts';
import { type Get, textOf } from '../get.ts';
import { createListRefresh } from '../list-refresh.ts';
import { openSheet, priceFromText, timeFromDate } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/** A bound for one round, above what the whole catalogue asks for. */
const MAX_PRODUCTS = 120;
/** Ten questions a second are allowed to an address, and other processes may share ours. */
const GAP_MS = 150;

/**
 * GET /products once in a while, then GET /products/<id>/ticker in turn, each once. Where it asks for a rest or does not
 * answer, the round ends with the prices that are there, and the next one begins where this one ended; a product that
 * fails in first place as well is left behind, so that it keeps no other from its turn.
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
        // Delisted or closed since the list was read: the list is read again next time.
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
  /** What the next one begins with; "" for the first of all. */
  readonly next: string;
  /** The last failure, null where every product was answered for. */
  readonly failure: Outage | null;
  /** Whether any product was answered for. */
  readonly isAnswered: boolean;
  /** How many were not. */
  readonly left: number;
}

/** Reports each answer's text, or null where a product is gone. One failure in first place does not end the round. */
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

type Ticker = { readonly text: string | null } | { readonly failure: Outage; readonly isRest: boolean };

/** The text is null for a product that is gone. `isRest`: it asks not to be asked for a while. */
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
