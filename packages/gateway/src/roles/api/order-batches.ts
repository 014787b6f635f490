// What the api asks of the database for orders: requests that come at the same time share their statements.
import { accept, type Result, refuse } from '@ducat/core/result';
import {
  type BeforeOrder,
  readBeforeOrders,
  type WantedOrder,
} from '../../db/tables/orders/before-orders.ts';
import type { App } from '../../db/tables/apps.ts';
import { findOrders, type OrderDetail, type OrderUnderHead } from '../../db/tables/orders/orders.ts';
import { mayBeOfOne, type Reader, type Transact } from '../../db/postgres/tx.ts';
import {
  type LimitedOrder,
  type OrderToPlace,
  placeOrders,
  placeWithinLimits,
} from '../../flows/orders/place-orders.ts';
import { createBatches } from '../../runtime/batches.ts';
import type { World } from '../../runtime/world.ts';
import { DatabaseAway, type DatabaseWatch } from './database-away.ts';
import type { FillPool } from './pool-filler.ts';

export interface OrderBatches {
  /** What has to be known before an order is opened. */
  before(wanted: WantedOrder): Promise<BeforeOrder>;
  /** The order as it stands afterwards: this one, or one that another request wrote first. Refused at its merchant's limit. */
  place(wanted: OrderToPlace, app: Pick<App, 'merchantId' | 'hasOpenLimit'>): Promise<Result<OrderDetail>>;
  /** An order of this app; null for an unknown one and for another app's alike. */
  find(wanted: { readonly appId: string; readonly tradeNo: string }): Promise<OrderUnderHead | null>;
}

/**
 * 64 orders are written in some ten milliseconds, so a request waits for two such runs at the most. Two runs, so that one
 * connection that went silent holds up none but the requests of its own run.
 */
const RULES = { items: 64, runs: 2, mayBeOfOne };

/** Parallel requests may empty a pool again as soon as it was filled. */
const MAX_POOL_ROUNDS = 20;
/** Another process may hold what is free, until its own run commits. */
const POOL_PAUSE_MS = 25;

interface OrderBatchDeps {
  readonly reader: Reader;
  readonly transact: Transact;
  readonly fillPool: FillPool;
  readonly world: World;
  /** Each request is given up by itself where the database is silent, also while it waits for a run. */
  readonly watched: DatabaseWatch['watched'];
}

export function createOrderBatches(deps: OrderBatchDeps): OrderBatches {
  const { reader, transact, fillPool, world, watched } = deps;
  const before = createBatches((items: readonly WantedOrder[]) => readBeforeOrders(reader, items), RULES);
  const place = createBatches(
    (items: readonly OrderToPlace[]) => placeOrders(transact, reader, items),
    RULES,
  );
  // In runs of their own: while one waits for the lock of its merchant, orders of others do not.
  const placeLimited = createBatches(
    (items: readonly LimitedOrder[]) => placeWithinLimits(transact, reader, items),
    RULES,
  );
  const find = createBatches(
    (items: readonly { readonly appId: string; readonly tradeNo: string }[]) => findOrders(reader, items),
    RULES,
  );
  return {
    before: (wanted) => watched(before(wanted)),
    find: (wanted) => watched(find(wanted)),
    async place(wanted, { merchantId, hasOpenLimit }) {
      const { appId, family } = wanted.order;
      for (let round = 1; round <= MAX_POOL_ROUNDS; round++) {
        const placed = await watched(hasOpenLimit ? placeLimited({ ...wanted, merchantId }) : place(wanted));
        if (placed.outcome === 'refused') return refuse(placed.refusal);
        if (placed.outcome !== 'pool-empty') return accept(placed.order);
        await fillPool(appId, family);
        if (round > 1) await world.sleep(POOL_PAUSE_MS);
      }
      throw new DatabaseAway(`the address pool of ${appId} stayed empty through ${MAX_POOL_ROUNDS} fillings`);
    },
  };
}
