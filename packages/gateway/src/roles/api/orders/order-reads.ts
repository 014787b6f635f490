// Reads orders for order/detail: an order that is asked for again and again is read in full only after a change.
import { LRUCache } from 'lru-cache';
import type { Reader } from '../../../db/postgres/tx.ts';
import {
  findOrders,
  type OrderName,
  type OrderUnderHead,
  readProgress,
} from '../../../db/tables/orders/orders.ts';
import { type BatchRules, createBatches } from '../../../runtime/batches.ts';
import type { World } from '../../../runtime/world.ts';
import type { DatabaseWatch } from '../database-away.ts';

/** Some 3 kB each, and up to 7 kB with the longest URLs. The least recently asked one goes first. */
const MAX_REMEMBERED = 4_096;
/** PostgreSQL numbers its transactions anew after four billion of them. No order is remembered long enough for that. */
const REMEMBERED_MS = 60_000;

interface Remembered {
  readonly atMs: number;
  readonly order: OrderUnderHead;
}

interface OrderReadDeps {
  readonly reader: Reader;
  readonly rules: BatchRules;
  readonly world: Pick<World, 'nowMs'>;
  /** Watches each statement by itself: a call may need two, and the first one's answer shows that the database is there. */
  readonly watched: DatabaseWatch['watched'];
}

/**
 * Every answer is the order as the database has it at the call, so no answer is older than one before it, whichever process
 * gave that. A remembered order only spares PostgreSQL and this process the columns that did not change.
 */
export function createOrderReads({
  reader,
  rules,
  world,
  watched,
}: OrderReadDeps): (wanted: OrderName) => Promise<OrderUnderHead | null> {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  const find = createBatches((wanted: readonly OrderName[]) => findOrders(reader, wanted), rules);
  const progressOf = createBatches((wanted: readonly OrderName[]) => readProgress(reader, wanted), rules);

  function recall({ appId, tradeNo }: OrderName): OrderUnderHead | null {
    const known = remembered.get(tradeNo);
    if (known === undefined || known.order.appId !== appId) return null;
    return Math.abs(world.nowMs() - known.atMs) < REMEMBERED_MS ? known.order : null;
  }

  return async (wanted) => {
    const before = recall(wanted);
    if (before !== null) {
      const progress = await watched(progressOf(wanted));
      // mark: a-remembered-order-is-the-stored-one
      if (progress?.rowVersion === before.rowVersion) return { ...before, ...progress };
    }
    const order = await watched(find(wanted));
    if (order !== null) remembered.set(order.tradeNo, { atMs: world.nowMs(), order });
    return order;
  };
}
