// Puts a test event into the outbox of an app, so that its merchant sees one arrive.
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';

export interface TestEvent {
  readonly eventId: string;
  readonly appId: string;
  /** A number that no order has. */
  readonly tradeNo: string;
  readonly body: string;
  readonly url: string;
  readonly nowMs: number;
}

/** The event is not marked as final, because final events belong to orders, and a test event has none. */
export async function sendTestEvent(tx: Tx, event: TestEvent): Promise<void> {
  const { nowMs, ...rest } = event;
  await insertEvents(tx, [{ ...rest, type: 'PAYMENT', status: 'PAID', final: false, createdAtMs: nowMs }]);
}
