// Puts an event about nothing into the outbox of an app, so that its merchant sees one arrive.
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

/** It is not final: what counts is counted from orders, and this one has none. */
export async function sendTestEvent(tx: Tx, event: TestEvent): Promise<void> {
  const { nowMs, ...rest } = event;
  await insertEvents(tx, [{ ...rest, type: 'PAYMENT', status: 'PAID', final: false, createdAtMs: nowMs }]);
}
