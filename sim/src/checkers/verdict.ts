// At the end: orders, events and books are exactly what the naive model says.
import type { AccountRow, EventRow, MoneyRows, PostingRow } from './books.ts';
import type { ExpectedCredit, KnownOrder, Verdict } from '../auditor.ts';
import type { Findings } from './findings.ts';

export function checkOrders(verdict: Verdict, money: MoneyRows, findings: Findings): void {
  const rows = new Map(money.orders.map((order) => [order.trade_no, order]));
  for (const [tradeNo, expected] of verdict.orders) {
    const row = rows.get(tradeNo);
    findings.expect(
      row !== undefined,
      '23 orders stay',
      `${tradeNo} was answered to its merchant and is not there`,
    );
    if (row === undefined) continue;
    findings.expect(
      row.due === expected.due.toString() && expected.answeredDue === expected.due,
      '8 due is the price',
      `${tradeNo} is due ${row.due}, its merchant was answered ${expected.answeredDue}, and the price is ${expected.due}`,
    );
    findings.expect(
      row.status === expected.status,
      '20 PAID exactly when paid in time',
      `${tradeNo} is ${row.status} and must be ${expected.status}`,
    );
    findings.expect(
      row.collected === expected.collected.toString(),
      '13 collected is what came',
      `${tradeNo} collected ${row.collected}, the chain says ${expected.collected}`,
    );
    rows.delete(tradeNo);
  }
  for (const tradeNo of rows.keys())
    findings.add('23 one order per out_trade_no', `no merchant was answered with ${tradeNo}`);
}

/** The books hold each order as its merchant was answered. */
export function checkTerms(answered: readonly KnownOrder[], money: MoneyRows, findings: Findings): void {
  const rows = new Map(money.orders.map((order) => [order.trade_no, order]));
  for (const order of answered) {
    const row = rows.get(order.tradeNo);
    if (row === undefined) continue;
    const { appId, outTradeNo, chain, currencyId, address, createTime, timeExpire } = order;
    const wanted = [appId, outTradeNo, chain, currencyId, address, createTime, timeExpire].join(' ');
    const booked = [
      row.app_id,
      row.out_trade_no,
      row.chain,
      row.currency_id,
      row.address,
      row.create_time,
      row.time_expire,
    ].join(' ');
    findings.expect(
      booked === wanted,
      '24 answered as it is booked',
      `${order.tradeNo} was answered as ${wanted} and is booked as ${booked}`,
    );
  }
}

export function checkEvents(verdict: Verdict, events: readonly EventRow[], findings: Findings): void {
  for (const [tradeNo, { bodies }] of verdict.orders) {
    const own = events.filter((event) => event.trade_no === tradeNo);
    const written = own.map(({ body }) => canonical(JSON.parse(body)));
    const wanted = bodies.map(canonical);
    const wrong = wanted.findIndex((body, place) => body !== written[place]);
    findings.expect(
      wanted.length === written.length,
      '25 an event for each change',
      `${tradeNo} has events ${brief(written)} and must have ${brief(wanted)}`,
    );
    findings.expect(
      wanted.length !== written.length || wrong === -1,
      '25 events say what happened',
      `event ${wrong + 1} of ${tradeNo} is ${written[wrong]} and must be ${wanted[wrong]}`,
    );
    const final = own.filter((event) => event.final).length;
    findings.expect(final === 1, '26 exactly one final event', `${tradeNo} has ${final} final events`);
  }
}

/** The same text for the same fields, whatever their order. */
function canonical(body: unknown): string {
  if (typeof body !== 'object' || body === null) return String(body);
  return JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function brief(bodies: readonly string[]): string {
  const statuses = bodies.map((body) => /"status","([^"]*)"/.exec(body)?.[1] ?? '?');
  const collected = bodies.map((body) => /"amount_collected","([^"]*)"/.exec(body)?.[1] ?? '?');
  return `[${statuses.map((status, place) => `${status} ${collected[place]}`).join(', ')}]`;
}

export function checkBooks(verdict: Verdict, postings: readonly PostingRow[], findings: Findings): void {
  const entries = new Map<string, PostingRow[]>();
  for (const posting of postings)
    entries.set(posting.reference, [...(entries.get(posting.reference) ?? []), posting]);
  for (const [reference, credit] of verdict.credits) {
    const entry = entries.get(reference);
    if (entry === undefined)
      findings.add('11 every final effect is credited', `${reference} was never booked`);
    else checkEntry(reference, credit, entry, findings);
    entries.delete(reference);
  }
  for (const reference of entries.keys())
    findings.add('12 credits are canonical', `${reference} is not on the chain`);
}

function checkEntry(
  reference: string,
  credit: ExpectedCredit,
  entry: readonly PostingRow[],
  findings: Findings,
): void {
  const toApp = credit.fact === 'deposit' ? 'available' : 'unassigned';
  const wanted = [
    `custody ${credit.custody} ${-(credit.net + credit.fee)}`,
    `${toApp} ${credit.appId} ${credit.net}`,
    `fee gateway ${credit.fee}`,
  ].filter((text) => !text.endsWith(' 0'));
  const booked = entry.map(({ kind, owner, units }) => `${kind} ${owner} ${units}`);
  const currencies = new Set(entry.map(({ currency_id }) => currency_id));
  const isRight = JSON.stringify(wanted.toSorted()) === JSON.stringify(booked.toSorted());
  findings.expect(
    isRight &&
      currencies.size === 1 &&
      currencies.has(credit.currencyId) &&
      entry.every(({ fact }) => fact === credit.fact),
    '9 and 13 booked as it came',
    `${reference} is booked as ${booked.join(', ')} and must be ${wanted.join(', ')}`,
  );
}

function sumsOf(postings: readonly PostingRow[]): ReadonlyMap<string, bigint> {
  const byAccount = new Map<string, bigint>();
  for (const { kind, owner, currency_id, units } of postings) {
    const key = `${kind} ${owner} ${currency_id}`;
    byAccount.set(key, (byAccount.get(key) ?? 0n) + BigInt(units ?? 0));
  }
  return byAccount;
}

/** Accounts with a negative balance: what chains hold for us, and what left them. */
const NEGATIVE: ReadonlySet<string> = new Set(['custody', 'sent', 'network-fee', 'suspense']);

export function checkSums(
  postings: readonly PostingRow[],
  accounts: readonly AccountRow[],
  findings: Findings,
): void {
  const byAccount = sumsOf(postings);
  const byCurrency = new Map<number, bigint>();
  for (const { kind, owner, currency_id, balance } of accounts) {
    const units = BigInt(balance);
    const posted = byAccount.get(`${kind} ${owner} ${currency_id}`) ?? 0n;
    findings.expect(
      posted === units,
      '3 balance is the sum of its postings',
      `${kind} of ${owner} in ${currency_id} says ${balance}, its postings ${posted}`,
    );
    findings.expect(
      NEGATIVE.has(kind) || units >= 0n,
      '4 nothing is negative',
      `${kind} of ${owner} in ${currency_id} is ${balance}`,
    );
    byCurrency.set(currency_id, (byCurrency.get(currency_id) ?? 0n) + units);
  }
  for (const [currencyId, sum] of byCurrency) {
    findings.expect(sum === 0n, '1 entries sum to zero', `currency ${currencyId} sums to ${sum}`);
  }
}
