// Compares books, chains, promises and deliveries; a pure function, so that its own eyes can be tested.
import type { Delivery } from '../receiver.ts';
import type { Books, EventRow, OrderRow } from './books.ts';
import type { ChainTransfer, FinalChain } from './chain-transfers.ts';
import { expectOrder } from './expected-orders.ts';
import { groupBy } from './group-by.ts';
import { plainAddress } from './plain-address.ts';

/** How something is wrong. */
export type Fault = 'lost' | 'doubled' | 'invented' | 'wrong';

/** One thing that must not be. */
export interface Finding {
  readonly fault: Fault;
  readonly what: string;
}

/** An order that its merchant was promised. */
export interface Promised {
  readonly appId: string;
  readonly outTradeNo: string;
  readonly tradeNo: string;
  readonly address: string;
  readonly currencyId: number;
  readonly units: bigint;
  readonly timeExpire: number;
}

/** Everything that was read, at rest. */
export interface Readings {
  readonly books: Books;
  readonly finals: readonly FinalChain[];
  /** By currency id. */
  readonly decimals: ReadonlyMap<number, number>;
  readonly feePpm: number;
  readonly promised: readonly Promised[];
  /** Everything that any merchant's receiver was sent. */
  readonly deliveries: readonly Delivery[];
}

/** What does not fit together; empty when all is well. */
export function compare({
  books,
  finals,
  decimals,
  feePpm,
  promised,
  deliveries,
}: Readings): readonly Finding[] {
  const transfers = finals.flatMap((chain) => chain.transfers);
  return [
    ...checkCursors(books, finals),
    ...checkTransfers(books, transfers),
    ...checkBookings(books, transfers, feePpm),
    ...checkPromises(books, promised),
    ...checkOrders(books, finals, decimals),
    ...checkDeliveries(books, deliveries),
  ];
}

function checkCursors({ cursors, wrongBalances }: Books, finals: readonly FinalChain[]): readonly Finding[] {
  const findings: Finding[] = wrongBalances.map(({ account_id }) => ({
    fault: 'wrong',
    what: `the balance of account ${account_id} is not the sum of its postings`,
  }));
  for (const { name, finalBlock } of finals) {
    const cursor = cursors.find(({ chain }) => chain === name);
    if (Number(cursor?.final_number ?? -1) !== finalBlock || cursor?.halted_reason !== null)
      findings.push({
        fault: 'lost',
        what: `${name} is final at ${finalBlock}, the books at ${cursor?.final_number}`,
      });
  }
  return findings;
}

/** Both sides counted by what identifies a movement for somebody who knows nothing of positions. */
function checkTransfers({ transfers }: Books, real: readonly ChainTransfer[]): readonly Finding[] {
  const booked = transfers
    .filter(({ state }) => state === 'final')
    .map((row) => `${row.chain}/${row.tx_id} to ${row.to_address}: ${row.units} of ${row.currency_id}`);
  const wanted = real.map(
    (one) => `${one.chain}/${one.hash} to ${one.to}: ${one.units} of ${one.currencyId}`,
  );
  return compareLists(wanted, booked);
}

function checkBookings(
  { postings, addresses, orders }: Books,
  real: readonly ChainTransfer[],
  feePpm: number,
) {
  const byAddress = new Map(addresses.map(({ address, trade_no }) => [address.toLowerCase(), trade_no]));
  const byTradeNo = new Map(orders.map((order) => [order.trade_no, order]));
  const wanted = real.flatMap(({ chain, hash, to, currencyId, units }) => {
    const order = byTradeNo.get(byAddress.get(to) ?? '');
    const line = (kind: string, share: bigint) => `${chain}/${hash} ${kind} ${share} of ${currencyId}`;
    if (order?.currency_id !== currencyId) return [line('custody', -units), line('unassigned', units)];
    const fee = (units * BigInt(feePpm)) / 1_000_000n;
    const lines = [line('custody', -units), line('available', units - fee)];
    return fee === 0n ? lines : [...lines, line('fee', fee)];
  });
  const booked = postings.map(({ reference, kind, units, currency_id }) => {
    const [chain, hash] = reference.split('/');
    return `${chain}/${hash} ${kind} ${units} of ${currency_id}`;
  });
  return compareLists(wanted, booked);
}

/** Each line as often on the one side as on the other. */
function compareLists(wanted: readonly string[], found: readonly string[]): readonly Finding[] {
  const counts = new Map<string, { wanted: number; found: number }>();
  const at = (line: string) => {
    const count = counts.get(line) ?? { wanted: 0, found: 0 };
    counts.set(line, count);
    return count;
  };
  for (const line of wanted) at(line).wanted += 1;
  for (const line of found) at(line).found += 1;
  return [...counts].flatMap(([line, count]): readonly Finding[] => {
    if (count.found === count.wanted) return [];
    const fault = count.found < count.wanted ? 'lost' : count.wanted === 0 ? 'invented' : 'doubled';
    return [{ fault, what: `${line} (${count.found} times in the books, ${count.wanted} on the chain)` }];
  });
}

function checkPromises({ orders }: Books, promised: readonly Promised[]): readonly Finding[] {
  const findings: Finding[] = [];
  const byNumber = new Map<string, OrderRow[]>();
  for (const order of orders) {
    const key = `${order.app_id}/${order.out_trade_no}`;
    byNumber.set(key, [...(byNumber.get(key) ?? []), order]);
  }
  for (const promise of promised) {
    const [order, ...others] = byNumber.get(`${promise.appId}/${promise.outTradeNo}`) ?? [];
    if (others.length > 0) findings.push({ fault: 'doubled', what: `the order ${promise.outTradeNo}` });
    if (order === undefined) {
      findings.push({
        fault: 'lost',
        what: `the acknowledged order ${promise.tradeNo} (${promise.outTradeNo})`,
      });
      continue;
    }
    const kept = [
      order.trade_no,
      order.address.toLowerCase(),
      order.currency_id,
      order.due,
      Number(order.time_expire),
    ];
    const { tradeNo, address, currencyId, units, timeExpire } = promise;
    const told = [tradeNo, plainAddress(address), currencyId, String(units), timeExpire];
    if (kept.join() !== told.join())
      findings.push({
        fault: 'wrong',
        what: `an order was promised as ${told.join()} and is kept as ${kept.join()}`,
      });
  }
  return findings;
}

function checkOrders(
  { orders, events }: Books,
  finals: readonly FinalChain[],
  decimals: ReadonlyMap<number, number>,
): readonly Finding[] {
  const byAddress = groupBy(
    finals.flatMap(({ transfers }) => transfers),
    ({ chain, to }) => `${chain}/${to}`,
  );
  const eventsOf = groupBy(events, ({ trade_no }) => trade_no);
  return orders.flatMap((order): readonly Finding[] => {
    const chain = finals.find(({ name }) => name === order.chain);
    if (chain === undefined) return [{ fault: 'invented', what: `${order.trade_no} on no chain of ours` }];
    const expected = expectOrder(
      order,
      byAddress.get(`${order.chain}/${order.address.toLowerCase()}`) ?? [],
      chain,
    );
    const told = (eventsOf.get(order.trade_no) ?? []).map((event) =>
      toldBy(event, decimals.get(order.currency_id) ?? 0),
    );
    const must = expected.events.map(({ status, collected }) => `${status} ${collected}`);
    const findings: Finding[] = [];
    const [is, should] = [`${order.status} ${order.collected}`, `${expected.status} ${expected.collected}`];
    if (is !== should)
      findings.push({ fault: 'wrong', what: `${order.trade_no} is ${is} and must be ${should}` });
    if (told.join() !== must.join()) {
      const fault = told.length < must.length ? 'lost' : told.length > must.length ? 'doubled' : 'wrong';
      findings.push({ fault, what: `events of ${order.trade_no}: ${told.join()} instead of ${must.join()}` });
    }
    return findings;
  });
}

function toldBy({ body }: EventRow, decimals: number): string {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== 'object' || parsed === null) return body;
  const { status, amount_collected: amount } = Object.fromEntries(Object.entries(parsed));
  const [whole = '', part = ''] = String(amount).split('.');
  return `${String(status)} ${BigInt(whole + part.padEnd(decimals, '0'))}`;
}

function checkDeliveries({ events }: Books, deliveries: readonly Delivery[]): readonly Finding[] {
  const findings: Finding[] = [];
  const known = new Set(events.map(({ event_id }) => event_id));
  const byEvent = groupBy(deliveries, ({ eventId }) => eventId);
  for (const { eventId, refused } of deliveries) {
    if (!known.has(eventId))
      findings.push({ fault: 'lost', what: `event ${eventId} was sent and is not in the books` });
    if (refused !== null)
      findings.push({ fault: 'wrong', what: `a webhook of ${eventId} was not right: ${refused}` });
  }
  for (const { event_id: eventId, body, attempts, trade_no } of events) {
    const received = byEvent.get(eventId) ?? [];
    const say = (fault: Fault, what: string) =>
      findings.push({ fault, what: `event ${eventId} of ${trade_no} ${what}` });
    if (!received.some(({ accepted }) => accepted)) say('lost', 'never reached its merchant');
    if (received.some((delivery) => delivery.body !== body)) say('wrong', 'was sent with another body');
    if (received.length > attempts) say('doubled', `came ${received.length} times in ${attempts} attempts`);
  }
  return findings;
}
