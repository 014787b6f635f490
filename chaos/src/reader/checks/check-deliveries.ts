// Checks what merchants' receivers were sent: each event at least once, to its own merchant, always with the same bytes.
import type { Delivery } from '../../load/receiver.ts';
import type { Books } from '../books.ts';
import type { Fault, Finding } from '../finding.ts';
import { groupBy } from '../group-by.ts';

/** A delivery with the app whose receiver took it. */
export interface Delivered extends Delivery {
  readonly appId: string;
}

interface Owned {
  readonly trade_no: string;
  readonly app_id: string;
}

/** `orders` are what the events are about, which may be payouts. */
export function checkDeliveries(
  { events, orders }: Pick<Books, 'events'> & { readonly orders: readonly Owned[] },
  deliveries: readonly Delivered[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const known = new Set(events.map(({ event_id }) => event_id));
  // The app of the order and not of the event, because the order's app is compared with the promise elsewhere.
  const appOf = new Map(orders.map(({ trade_no, app_id }) => [trade_no, app_id]));
  const byEvent = groupBy(deliveries, ({ eventId }) => eventId);
  for (const { eventId, refused } of deliveries) {
    if (!known.has(eventId))
      findings.push({ fault: 'lost', what: `event ${eventId} was sent and is not in the books` });
    if (refused !== null)
      findings.push({ fault: 'wrong', what: `a webhook of ${eventId} was not right: ${refused}` });
  }
  for (const { event_id: eventId, body, attempts, trade_no } of events) {
    const received = byEvent.get(eventId) ?? [];
    const own = received.filter(({ appId }) => appId === appOf.get(trade_no));
    const say = (fault: Fault, what: string) =>
      findings.push({ fault, what: `event ${eventId} of ${trade_no} ${what}` });
    if (!own.some(({ accepted }) => accepted)) say('lost', 'never reached its merchant');
    if (own.length < received.length) say('wrong', 'was sent to another merchant');
    if (received.some((delivery) => delivery.body !== body)) say('wrong', 'was sent with another body');
    if (received.length > attempts) say('doubled', `came ${received.length} times in ${attempts} attempts`);
  }
  return findings;
}
