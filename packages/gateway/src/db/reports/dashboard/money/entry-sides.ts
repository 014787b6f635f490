// The other sides of an app's entries: what came from outside, what the gateway took of it, and what reached recipients.
import { type Amount, add, zero } from '@ducat/core/money/amount';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import { OWN, type StatementSpan } from './statement.ts';

/**
 * The postings of an entry sum to zero, so the app's own accounts rise by received - fee - paidOut - networkCharge. Only
 * a reversal has negative sides.
 */
export interface EntrySides {
  /** Received from outside, before the fee; negative where a receipt was reversed, or what the app then owed was repaid. */
  readonly received: Amount;
  /** The gateway's fee, on a deposit or a payout. */
  readonly fee: Amount;
  /** Paid to recipients of payouts. */
  readonly paidOut: Amount;
  /** What a payout was charged for its network fee. */
  readonly networkCharge: Amount;
}

export function noSides(currencyId: number): EntrySides {
  const none = zero(currencyId);
  return { received: none, fee: none, paidOut: none, networkCharge: none };
}

export function addSides(one: EntrySides, other: EntrySides): EntrySides {
  return {
    received: add(one.received, other.received),
    fee: add(one.fee, other.fee),
    paidOut: add(one.paidOut, other.paidOut),
    networkCharge: add(one.networkCharge, other.networkCharge),
  };
}

type SideRow = { readonly [Side in keyof EntrySides]: string };

function sidesFrom(currencyId: number, row: SideRow): EntrySides {
  const amount = (units: string) => fromNumeric(currencyId, units);
  return {
    received: amount(row.received),
    fee: amount(row.fee),
    paidOut: amount(row.paidOut),
    networkCharge: amount(row.networkCharge),
  };
}

// `g` is a posting and `b` its account. The ledger carries custody negative.
const sum = (...kinds: readonly string[]) =>
  `coalesce(sum(g.units) FILTER (WHERE b.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)`;
const SIDES = `-${sum('custody', 'receivable')} AS received, ${sum('fee')} AS fee, ${sum('sent')} AS "paidOut",
  ${sum('network-charge')} AS "networkCharge"`;
const IS_SIDE = `g.currency_id = $2 AND b.kind IN ('custody', 'receivable', 'fee', 'sent', 'network-charge')`;

/**
 * The sides by entry, without entries that only move money between accounts of their app. Row-level security hides
 * these postings, so the caller has read the entries behind the wall before.
 */
export async function readEntrySides(
  reader: Reader,
  currencyId: number,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, EntrySides>> {
  if (entryIds.length === 0) return new Map();
  const rows = await reader.read<SideRow & { readonly entryId: number }>(OF_ENTRIES, [entryIds, currencyId]);
  return new Map(rows.map(({ entryId, ...row }) => [entryId, sidesFrom(currencyId, row)]));
}

const OF_ENTRIES = `
  SELECT g.entry_id AS "entryId", ${SIDES}
  FROM postings g JOIN accounts b USING (account_id)
  WHERE g.entry_id = ANY ($1::bigint[]) AND ${IS_SIDE} GROUP BY g.entry_id`;

export interface DaySides extends EntrySides {
  /** Unix seconds of its beginning, UTC. */
  readonly day: number;
}

export interface StatementSum {
  /** Sum of all accounts of the app. */
  readonly opening: Amount;
  readonly closing: Amount;
  /** Sides of the whole span: opening + received - fee - paidOut - networkCharge = closing. */
  readonly sides: EntrySides;
  /** The same by days, the oldest first; days without any are left out. */
  readonly days: readonly DaySides[];
}

/**
 * All from one snapshot of the books. Row-level security hides the other sides, so the caller has checked behind the
 * wall that the app is the merchant's.
 */
export async function sumStatement(
  reader: Reader,
  { appId, currencyId, from, before }: StatementSpan,
): Promise<StatementSum> {
  const rows = await reader.read<
    SideRow & { readonly opening: string; readonly closing: string; readonly day: number | null }
  >(SUM, [appId, currencyId, from, before]);
  const days = rows.flatMap(({ day, ...row }) =>
    day === null ? [] : [{ day: day * DAY_S, ...sidesFrom(currencyId, row) }],
  );
  const [standing = { opening: '0', closing: '0' }] = rows;
  return {
    opening: fromNumeric(currencyId, standing.opening),
    closing: fromNumeric(currencyId, standing.closing),
    sides: days.reduce<EntrySides>(addSides, noSides(currencyId)),
    days,
  };
}

const DAY_S = 86_400;

// Computed backwards from the present balances over the postings since, like the totals of each account. OFFSET 0 keeps
// each entry in a search of its own, because a join would read the entries of all apps.
const SUM = `
  WITH own AS MATERIALIZED (SELECT a.account_id, a.balance FROM accounts a WHERE ${OWN}),
  moved AS MATERIALIZED (
    SELECT p.entry_id, sum(p.units) AS units FROM own JOIN postings p USING (account_id)
    WHERE p.entry_id >= $3 GROUP BY p.entry_id),
  standing AS (
    SELECT (SELECT coalesce(sum(balance), 0) FROM own) - coalesce(sum(units), 0) AS opening,
      (SELECT coalesce(sum(balance), 0) FROM own) - coalesce(sum(units) FILTER (WHERE entry_id >= $4), 0) AS closing
    FROM moved),
  days AS (
    SELECT e.day, ${SIDES}
    FROM (SELECT entry_id, (SELECT at_ms FROM entries WHERE entry_id = moved.entry_id) / ${DAY_S * 1_000} AS day
        FROM moved WHERE entry_id < $4 OFFSET 0) AS e
      CROSS JOIN LATERAL (SELECT * FROM postings WHERE entry_id = e.entry_id OFFSET 0) AS g
      JOIN accounts b USING (account_id)
    WHERE ${IS_SIDE} GROUP BY e.day)
  SELECT opening, closing, days.* FROM standing LEFT JOIN days ON true ORDER BY day`;
