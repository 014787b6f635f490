// Reads and writes orders for the API: requests that come at the same time share their statements.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Refusal } from '@ducat/core/refusal';
import { accept, type Result, refuse } from '@ducat/core/result';
import {
  type BeforeOrder,
  readBeforeOrders,
  type WantedOrder,
} from '../../../db/tables/orders/before-orders.ts';
import type { App } from '../../../db/tables/apps.ts';
import type { OrderDetail, OrderName, OrderUnderHead } from '../../../db/tables/orders/orders.ts';
import { mayBeOfOne, outOfSight, type Reader, type Transact } from '../../../db/postgres/tx.ts';
import {
  type LimitedOrder,
  type OrderToPlace,
  placeOrders,
  placeWithinLimits,
} from '../../../flows/orders/place-orders.ts';
import { type BatchRules, createBatches } from '../../../runtime/batches.ts';
import { nextTurn, type World } from '../../../runtime/world.ts';
import type { AddressScheme } from '../../../chains/port/address-scheme.ts';
import { createAddressesAhead } from './addresses-ahead.ts';
import { createOrderReads } from './order-reads.ts';
import { DatabaseAway, type DatabaseWatch } from '../database-away.ts';
import type { FillPool } from './pool-filler.ts';

export interface OrderBatches {
  /** What has to be known before an order is opened. */
  before(wanted: WantedOrder): Promise<BeforeOrder>;
  /** Whether this process has seen that blocks are read for this currency. Once true, it stays true. */
  isRead(currencyId: number): boolean;
  /**
   * The stored order: this one, or the one that another request wrote first. Refused at its merchant's limit, and with
   * 'currency-off' where its currency was closed.
   */
  place(wanted: OrderToPlace, app: Pick<App, 'merchantId' | 'hasOpenLimit'>): Promise<Result<OrderDetail>>;
  /** The address of a new order by its app's public key. */
  addressOf(family: ChainFamily, order: OrderDetail): string;
  /** An order of this app; null for an unknown one and for another app's alike. */
  find(wanted: OrderName): Promise<OrderUnderHead | null>;
}

/**
 * 64 orders are written in some ten milliseconds, so a request waits for two such runs at the most. There are two runs, so
 * that a connection that went silent holds up only the requests of its own run.
 */
const RULES = { items: 64, runs: 2, mayBeOfOne };

const CLOSED: Refusal = {
  code: 'currency-off',
  field: 'currency_id',
  message:
    'currency_id is temporarily not supported: it was switched off, or its chain halted, at this moment',
};

/** Parallel requests may empty a pool again as soon as it was filled. */
const MAX_POOL_ROUNDS = 20;
/** The run of another process may hold the free addresses until it commits. */
const POOL_PAUSE_MS = 25;

interface OrderBatchDeps {
  readonly reader: Reader;
  readonly transact: Transact;
  readonly fillPool: FillPool;
  readonly addressSchemes: Readonly<Record<ChainFamily, AddressScheme>>;
  readonly world: World;
  /** Gives up each request by itself where the database is silent, even while the request waits for a run. */
  readonly watched: DatabaseWatch['watched'];
  /** Runs the statements; `reader` and `transact` do so where this is not given. */
  readonly requests?: Pick<OrderBatchDeps, 'reader' | 'transact'>;
  /** By default the next turn of the event loop. In the simulator nothing comes from sockets, and runs start at once. */
  readonly gather?: BatchRules['gather'];
}

export function createOrderBatches(deps: OrderBatchDeps): OrderBatches {
  const { reader, transact } = deps.requests ?? deps;
  const { fillPool, addressSchemes, world, watched, gather = nextTurn } = deps;
  const rules = { ...RULES, gather };
  const ahead = createAddressesAhead(addressSchemes);
  const read = new Set<number>();
  const before = createBatches(async (items: readonly WantedOrder[]) => {
    const found = await readBeforeOrders(reader, items);
    for (const [place, { currencyId }] of items.entries())
      if (found[place]?.state.isRead === true) read.add(currencyId);
    return found;
  }, rules);
  const place = createBatches((items: readonly OrderToPlace[]) => {
    const placing = placeOrders(transact, reader, items);
    // By the next turn the statement has been sent, so deriving does not delay it.
    gather(() => ahead.derive(items.map(({ order }) => order)));
    return placing;
  }, rules);
  // Limited orders have runs of their own: while one waits for the lock of its merchant, other orders do not wait.
  const placeLimited = createBatches(
    (items: readonly LimitedOrder[]) => placeWithinLimits(transact, reader, items),
    rules,
  );
  const find = createOrderReads({ reader, rules, world, watched });
  return {
    before: (wanted) => watched(before(wanted)),
    isRead: (currencyId) => read.has(currencyId),
    addressOf: (family, order) => ahead.addressOf(family, order),
    find,
    async place(wanted, { merchantId, hasOpenLimit }) {
      const { appId, family } = wanted.order;
      for (let round = 1; round <= MAX_POOL_ROUNDS; round++) {
        const placed = await watched(hasOpenLimit ? placeLimited({ ...wanted, merchantId }) : place(wanted));
        if (placed.outcome === 'refused') return refuse(placed.refusal);
        if (placed.outcome === 'closed') return refuse(CLOSED);
        if (placed.outcome === 'unseen')
          throw outOfSight(`order ${wanted.order.outTradeNo}, whose number is taken,`);
        if (placed.outcome !== 'pool-empty') {
          if (placed.outcome === 'created') ahead.seen(family, placed.order);
          return accept(placed.order);
        }
        await fillPool(appId, family);
        if (round > 1) await world.sleep(POOL_PAUSE_MS);
      }
      throw new DatabaseAway(`the address pool of ${appId} stayed empty through ${MAX_POOL_ROUNDS} fillings`);
    },
  };
}
