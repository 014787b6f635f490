// What the api asks of the database for orders: requests that come at the same time share their statements.
import {
  type BeforeOrder,
  readBeforeOrders,
  type WantedOrder,
} from '../../db/tables/orders/before-orders.ts';
import { findOrders, type OrderDetail, type OrderUnderHead } from '../../db/tables/orders/orders.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import { type OrderToPlace, placeOrders } from '../../flows/orders/place-orders.ts';
import { createBatches } from '../../runtime/batches.ts';
import type { DatabaseWatch } from './database-away.ts';
import type { FillPool } from './pool-filler.ts';

export interface OrderBatches {
  /** What has to be known before an order is opened. */
  before(wanted: WantedOrder): Promise<BeforeOrder>;
  /** The order as it stands afterwards: this one, or one that another request wrote first. */
  place(wanted: OrderToPlace): Promise<OrderDetail>;
  /** An order of this app; null for an unknown one and for another app's alike. */
  find(wanted: { readonly appId: string; readonly tradeNo: string }): Promise<OrderUnderHead | null>;
}

/**
 * One run of each kind at a time, so that as many requests as possible share it. 64 orders are written in some ten
 * milliseconds, so a request waits for two such runs at the most.
 */
const LIMITS = { items: 64, runs: 1 };

/** Parallel requests may empty a pool again as soon as it was filled. */
const MAX_POOL_ROUNDS = 20;

interface OrderBatchDeps {
  readonly reader: Reader;
  readonly transact: Transact;
  readonly fillPool: FillPool;
  /** Each request is given up by itself where the database is silent, also while it waits for a run. */
  readonly watched: DatabaseWatch['watched'];
}

export function createOrderBatches({ reader, transact, fillPool, watched }: OrderBatchDeps): OrderBatches {
  const before = createBatches((items: readonly WantedOrder[]) => readBeforeOrders(reader, items), LIMITS);
  const place = createBatches(
    (items: readonly OrderToPlace[]) => placeOrders(transact, reader, items),
    LIMITS,
  );
  const find = createBatches(
    (items: readonly { readonly appId: string; readonly tradeNo: string }[]) => findOrders(reader, items),
    LIMITS,
  );
  return {
    before: (wanted) => watched(before(wanted)),
    find: (wanted) => watched(find(wanted)),
    async place(wanted) {
      const { appId, family } = wanted.order;
      for (let round = 1; round <= MAX_POOL_ROUNDS; round++) {
        const placed = await watched(place(wanted));
        if (placed.outcome !== 'pool-empty') return placed.order;
        await fillPool(appId, family);
      }
      throw new Error(`the address pool of ${appId} stayed empty through ${MAX_POOL_ROUNDS} fillings`);
    },
  };
}
