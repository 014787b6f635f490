// Times out the orders whose expiry the chain has passed, each with its event.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { expireOrder } from '@ducat/core/order/transition';
import type { EncodePaymentEvent } from '@ducat/core/webhook/event';
import { eventRow } from '../../db/tables/deliveries/event-row.ts';
import { lockOrdersToExpire, updateOrders } from '../../db/tables/orders/orders.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface ExpireOrders {
  readonly chain: Pick<ChainDefinition, 'name' | 'currencies'>;
  /** Orders timed out in one transaction at the most. */
  readonly limit: number;
  readonly encode: EncodePaymentEvent;
  readonly newEventId: () => string;
  readonly nowMs: number;
}

/**
 * Returns how many orders timed out. The wall clock plays no part: while a chain stands still its orders wait, because a
 * payment in time may still become final (decision B8). An order in the native currency also waits for the search, because
 * an internal transaction in time may still be found.
 */
export async function expireOrders(tx: Tx, input: ExpireOrders): Promise<number> {
  const { chain, limit } = input;
  const cursor = (await readCursors(tx)).get(chain.name);
  const finalTime = cursor?.finalTime ?? null;
  if (finalTime === null) return 0;
  const { currencyId } = nativeCurrency(chain);
  // mark: native-orders-wait-for-the-search
  const passed = { finalTime, native: { currencyId, time: Math.min(finalTime, cursor?.searchedTime ?? 0) } };
  const due = await lockOrdersToExpire(tx, chain.name, passed, limit);
  const expired = due.map((locked) => ({ locked, ...expireOrder(locked) }));
  await updateOrders(
    tx,
    expired.map(({ order }) => order),
  );
  await insertEvents(
    tx,
    expired.flatMap(({ events, locked }) => events.map((event) => eventRow(event, locked, input))),
  );
  return expired.length;
}
