// Compares each order and its events with the payments on the chain.
import type { EventRow, OrderRow } from '../books.ts';
import type { Readings } from '../readings.ts';
import { expectBody, textOfBody } from '../expected-body.ts';
import { expectOrder } from '../expected-orders.ts';
import type { Finding } from '../finding.ts';
import { groupBy } from '../group-by.ts';

type Known = Pick<Readings, 'books' | 'finals' | 'decimals' | 'chainIds'>;

export function checkOrders(known: Known): readonly Finding[] {
  const { books, finals } = known;
  const byAddress = groupBy(
    finals.flatMap(({ transfers }) => transfers),
    ({ chain, to }) => `${chain}/${to}`,
  );
  const eventsOf = groupBy(books.events, ({ trade_no }) => trade_no);
  const orders = new Set(books.orders.map(({ trade_no }) => trade_no));
  const strays = books.events.filter(({ trade_no }) => !orders.has(trade_no));
  return [
    ...strays.map(
      ({ event_id, trade_no }): Finding => ({
        fault: 'invented',
        what: `event ${event_id} of ${trade_no}, an order that is not there`,
      }),
    ),
    ...books.orders.flatMap((order): readonly Finding[] => {
      const chain = finals.find(({ name }) => name === order.chain);
      if (chain === undefined) return [{ fault: 'invented', what: `${order.trade_no} on no chain of ours` }];
      const paid = byAddress.get(`${order.chain}/${order.address.toLowerCase()}`) ?? [];
      const expected = expectOrder(order, paid, chain);
      const events = eventsOf.get(order.trade_no) ?? [];
      return [...checkOrder(order, expected), ...checkEvents(order, events, expected, known)];
    }),
  ];
}

type Expected = ReturnType<typeof expectOrder>;

function checkOrder(order: OrderRow, expected: Expected): readonly Finding[] {
  const [is, should] = [`${order.status} ${order.collected}`, `${expected.status} ${expected.collected}`];
  return is === should ? [] : [{ fault: 'wrong', what: `${order.trade_no} is ${is} and must be ${should}` }];
}

/** Compares an order's events with those that follow from the chain, and every field of their bodies. */
function checkEvents(
  order: OrderRow,
  events: readonly EventRow[],
  expected: Expected,
  { decimals, chainIds }: Known,
): readonly Finding[] {
  const findings: Finding[] = [];
  const are = events.map(({ status }) => status).join();
  const must = expected.events.map(({ status }) => status).join();
  if (are !== must) {
    const more = events.length - expected.events.length;
    const fault = more < 0 ? 'lost' : more > 0 ? 'doubled' : 'wrong';
    return [{ fault, what: `events of ${order.trade_no}: ${are} instead of ${must}` }];
  }
  for (const [place, one] of expected.events.entries()) {
    const { event_id, app_id, body = '' } = events[place] ?? {};
    if (app_id !== order.app_id)
      findings.push({ fault: 'wrong', what: `event ${event_id} is kept for ${app_id}` });
    const wanted = expectBody(order, one, {
      decimals: decimals.get(order.currency_id) ?? 0,
      chainId: chainIds.get(order.chain) ?? -1,
    });
    const [says, should] = [textOfBody(body), textOfBody(JSON.stringify(wanted))];
    if (says !== should)
      findings.push({ fault: 'wrong', what: `event ${event_id} says ${says} and must say ${should}` });
  }
  return findings;
}
