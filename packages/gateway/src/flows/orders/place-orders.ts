// Opens orders: each takes an address and writes its row, or finds the order that already stands.
import { assert } from '@ducat/core/assert';
import { refusedOpenings } from '@ducat/core/access/merchant-limits';
import type { Refusal } from '@ducat/core/refusal';
import { countOpenOrders, lockCounting } from '../../db/tables/merchant-limits.ts';
import { type HostedTerms, insertHosted } from '../../db/tables/orders/hosted-orders.ts';
import { type InsertedOrder, insertOrders, type NewOrder } from '../../db/tables/orders/new-orders.ts';
import { findOrdersByOutTradeNo, type OrderDetail } from '../../db/tables/orders/orders.ts';
import type { Reader, Transact, Tx } from '../../db/postgres/tx.ts';

export interface OrderToPlace {
  readonly order: NewOrder;
  /** Null for an order that its merchant priced in one currency. */
  readonly hosted: HostedTerms | null;
}

export interface LimitedOrder extends OrderToPlace {
  readonly merchantId: string;
}

export type PlacedOrder =
  | { readonly outcome: 'created'; readonly order: OrderDetail }
  /** The app used this out_trade_no before. The caller compares the requests. */
  | { readonly outcome: 'exists'; readonly order: OrderDetail }
  | { readonly outcome: 'pool-empty' }
  /** The currency is off for the app, or its chain is halted or not read yet. */
  | { readonly outcome: 'closed' }
  /** Its out_trade_no is taken, but the order with it cannot be read: PostgreSQL's primary has changed. */
  | { readonly outcome: 'unseen' }
  /** The merchant has as many open orders as its operator allows. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

type Inserted = InsertedOrder | Refusal;

// ~ tour 5/15: one statement takes an address and writes the order.
// → packages/gateway/src/roles/watcher/step.ts
/**
 * One statement writes all orders, and one more statement follows for each hosted order. The unique out_trade_no decides
 * between parallel requests: the loser's address stays in the pool, and the loser reads the order that the winner wrote.
 */
export function placeOrders(
  transact: Transact,
  reader: Reader,
  wanted: readonly OrderToPlace[],
): Promise<readonly PlacedOrder[]> {
  return placeBy(reader, wanted, (asked) => {
    const isPlain = asked.every(({ hosted }) => hosted === null);
    return transact((tx) => insertAll(tx, asked), isPlain ? 'one-statement' : undefined);
  });
}

/**
 * Places orders of merchants whose open orders are limited. The limit is exact: the merchants are locked first, then their
 * open orders are counted, and orders beyond the limit are refused. Other merchants do not have this cost.
 */
export function placeWithinLimits(
  transact: Transact,
  reader: Reader,
  wanted: readonly LimitedOrder[],
): Promise<readonly PlacedOrder[]> {
  return placeBy(reader, wanted, (asked) => transact((tx) => insertFitting(tx, asked)));
}

async function placeBy<Wanted extends OrderToPlace>(
  reader: Reader,
  wanted: readonly Wanted[],
  insert: (asked: readonly Wanted[]) => Promise<readonly (Inserted | undefined)[]>,
): Promise<readonly PlacedOrder[]> {
  const firsts = new Map<string, Wanted>();
  for (const one of wanted) if (!firsts.has(keyOf(one.order))) firsts.set(keyOf(one.order), one);
  const asked = [...firsts.values()];
  const inserted = await insert(asked);
  const taken = asked.filter((_, place) => isAsked(inserted[place])).map(({ order }) => order);
  // mark: one-order-per-out-trade-no
  const found = await findOrdersByOutTradeNo(reader, taken);
  const standing = new Map(taken.map((order, place) => [order, found[place] ?? null]));
  const placed = new Map(
    asked.map(({ order }, place) => [keyOf(order), placedOf(inserted[place], standing.get(order) ?? null)]),
  );
  return wanted.map((one) => {
    const found = placed.get(keyOf(one.order));
    assert(found !== undefined, 'an order was neither written nor found');
    const isAnothers = found.outcome === 'created' && found.order.tradeNo !== one.order.tradeNo;
    return isAnothers ? { outcome: 'exists', order: found.order } : found;
  });
}

function keyOf({ appId, outTradeNo }: NewOrder): string {
  return `${appId} ${outTradeNo}`;
}

async function insertAll(tx: Tx, asked: readonly OrderToPlace[]): Promise<readonly InsertedOrder[]> {
  const inserted = await insertOrders(
    tx,
    asked.map(({ order }) => order),
  );
  for (const [place, { order, hosted }] of asked.entries())
    if (hosted !== null && typeof inserted[place] === 'object') await insertHosted(tx, order.tradeNo, hosted);
  return inserted;
}

async function insertFitting(
  tx: Tx,
  asked: readonly LimitedOrder[],
): Promise<readonly (Inserted | undefined)[]> {
  const merchantIds = [...new Set(asked.map(({ merchantId }) => merchantId))];
  // mark: open-orders-within-the-limit
  await lockCounting(tx, merchantIds);
  const counted = await countOpenOrders(tx, merchantIds);
  const refusals = refusedOpenings(
    asked.map(({ merchantId }) => merchantId),
    counted,
  );
  const fitting = asked.filter((_, place) => refusals[place] === null);
  const inserted = fitting.length === 0 ? [] : await insertAll(tx, fitting);
  const outcomes = new Map(fitting.map((one, place) => [one, inserted[place]]));
  return asked.map((one, place) => refusals[place] ?? outcomes.get(one));
}

/** Whether an order may already exist under this out_trade_no. If it does, the answer is that order, not a refusal. */
function isAsked(inserted: Inserted | undefined): boolean {
  return inserted !== 'pool-empty' && inserted !== 'closed' && !isOrder(inserted);
}

function placedOf(inserted: Inserted | undefined, standing: OrderDetail | null): PlacedOrder {
  if (inserted === 'pool-empty' || inserted === 'closed') return { outcome: inserted };
  if (isOrder(inserted)) return { outcome: 'created', order: inserted };
  if (standing !== null) return { outcome: 'exists', order: standing };
  return typeof inserted === 'object' ? { outcome: 'refused', refusal: inserted } : { outcome: 'unseen' };
}

function isOrder(inserted: Inserted | undefined): inserted is OrderDetail {
  return typeof inserted === 'object' && 'tradeNo' in inserted;
}
