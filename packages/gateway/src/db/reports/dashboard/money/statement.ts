// The statement of an app in one currency: opening and closing balance, and every posting between, in pages.
import { type Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import { oneOf } from '../../../tables/one-of.ts';
import {
  IS_RECEIPT,
  priceIn,
  receiptOf,
  type ReceiptRow,
  type ReceiptValue,
  valueIn,
} from './receipt-value.ts';

export type StatementAccount = 'available' | 'frozen' | 'unassigned';

export interface StatementLine {
  readonly entryId: number;
  readonly atMs: number;
  readonly fact: string;
  readonly reference: string;
  readonly account: StatementAccount;
  readonly amount: Amount;
  /** Null for a posting that is no receipt. */
  readonly receipt: ReceiptValue | null;
}

/** The span of a statement: an app, a currency, and the entries from `from` up to `before`, without that one. */
export interface StatementSpan {
  readonly appId: string;
  readonly currencyId: number;
  readonly from: number;
  readonly before: number;
}

/** A number above every entry. */
export const BEHIND_ENTRIES = Number.MAX_SAFE_INTEGER;

/** The most postings of one entry in a statement: a page never ends inside an entry. */
const MOST_OF_ENTRY = 8;

/** Whole entries with together at most `limit` postings, but at least one entry, in the requested order. */
export async function listStatement(
  reader: Reader,
  { appId, currencyId, from, before }: StatementSpan,
  { limit, oldestFirst = false }: { readonly limit: number; readonly oldestFirst?: boolean },
): Promise<{ readonly lines: readonly StatementLine[]; readonly isWhole: boolean }> {
  const most = limit + MOST_OF_ENTRY;
  const rows = await reader.read<
    Omit<StatementLine, 'amount' | 'receipt'> & ReceiptRow & { readonly units: string }
  >(oldestFirst ? OLDEST_FIRST : STATEMENT, [appId, currencyId, before, most, from]);
  const lines = rows.map(({ units, isReceipt, value, price, priceAt, ...line }) => ({
    ...line,
    amount: fromNumeric(currencyId, units),
    receipt: receiptOf({ isReceipt, value, price, priceAt }),
  }));
  const beyond = lines[limit];
  if (beyond === undefined) return { lines, isWhole: true };
  const kept = lines.slice(0, limit).filter(({ entryId }) => entryId !== beyond.entryId);
  const [first] = lines;
  return {
    lines: kept.length > 0 ? kept : lines.filter(({ entryId }) => entryId === first?.entryId),
    isWhole: false,
  };
}

/** SQL: the accounts `a` of the app $1 in the currency $2. */
export const OWN = `a.owner = $1 AND a.currency_id = $2 AND a.kind IN ('available', 'frozen', 'unassigned')`;

/** Parameters: app, currency, the entry after the last, the most postings, the first entry. */
const inOrder = (way: 'ASC' | 'DESC') => `
  SELECT e.entry_id AS "entryId", e.at_ms AS "atMs", e.fact, e.reference, p.kind AS account, p.units,
    ${IS_RECEIPT} AS "isReceipt", price.at AS "priceAt", price.price, ${valueIn('$2')} AS value FROM (
    SELECT a.kind, p.* FROM accounts a CROSS JOIN LATERAL (
      SELECT * FROM postings WHERE ${oneOf('account_id', 'a.account_id')} AND entry_id < $3 AND entry_id >= $5
      ORDER BY account_id ${way}, entry_id ${way} LIMIT $4) AS p
    WHERE ${OWN}
    ORDER BY p.entry_id ${way}, a.kind LIMIT $4) AS p
  JOIN entries e USING (entry_id) ${priceIn('$2')} ORDER BY p.entry_id ${way}, p.kind`;

const STATEMENT = inOrder('DESC');
const OLDEST_FIRST = inOrder('ASC');

export interface StatementTotal {
  readonly account: StatementAccount;
  readonly opening: Amount;
  /** What the account received and paid between; neither is negative. */
  readonly came: Amount;
  readonly went: Amount;
  readonly closing: Amount;
}

/** The totals of each account, from one snapshot of the books: opening + came - went = closing. */
export async function readStatementTotals(
  reader: Reader,
  { appId, currencyId, from, before }: StatementSpan,
): Promise<readonly StatementTotal[]> {
  const rows = await reader.read<
    Record<'opening' | 'came' | 'went' | 'closing', string> & { kind: StatementAccount }
  >(TOTALS, [appId, currencyId, from, before]);
  const amount = (text: string) => fromNumeric(currencyId, text);
  return rows.map(({ kind, opening, came, went, closing }) => ({
    account: kind,
    opening: amount(opening),
    came: amount(came),
    went: amount(went),
    closing: amount(closing),
  }));
}

// Computed backwards from the present balance over the postings since. Accounts that were never used are left out.
const TOTALS = `
  SELECT a.kind, (a.balance - coalesce(sum(p.units), 0))::text AS opening,
    coalesce(sum(p.units) FILTER (WHERE p.units > 0 AND p.entry_id < $4), 0)::text AS came,
    coalesce(-sum(p.units) FILTER (WHERE p.units < 0 AND p.entry_id < $4), 0)::text AS went,
    (a.balance - coalesce(sum(p.units) FILTER (WHERE p.entry_id >= $4), 0))::text AS closing
  FROM accounts a LEFT JOIN postings p ON p.account_id = a.account_id AND p.entry_id >= $3
  WHERE ${OWN} AND EXISTS (SELECT FROM postings used WHERE used.account_id = a.account_id)
  GROUP BY a.account_id, a.kind, a.balance ORDER BY a.kind`;

export interface ReceiptSum {
  readonly receipts: number;
  /** How many receipts had no price. They are not in the value. */
  readonly unpriced: number;
  /** The sum of the values of all others, in 10^-6 USD. */
  readonly value: bigint;
}

/** The sum of what an app received in a currency in the span. */
export async function sumReceipts(
  reader: Reader,
  { appId, currencyId, from, before }: StatementSpan,
): Promise<ReceiptSum> {
  const [row] = await reader.read<{ receipts: number; unpriced: number; value: string }>(SUM, [
    appId,
    currencyId,
    from,
    before,
  ]);
  return { receipts: row?.receipts ?? 0, unpriced: row?.unpriced ?? 0, value: BigInt(row?.value ?? 0) };
}

const SUM = `
  SELECT count(*) AS receipts, count(*) - count(price.price) AS unpriced, coalesce(sum(${valueIn('$2')}), 0)::text AS value
  FROM accounts a JOIN postings p ON p.account_id = a.account_id AND p.entry_id >= $3 AND p.entry_id < $4
  JOIN entries e USING (entry_id) ${priceIn('$2')}
  WHERE ${OWN} AND ${IS_RECEIPT}`;

/**
 * The first entry of the app in the currency at or after a time; the number after its last entry if there is none.
 * Entries are numbered in the order in which they begin, so the time is found by bisection. Concurrent entries may be
 * in either order.
 */
export async function firstEntryAt(
  reader: Reader,
  { appId, currencyId, atMs }: { readonly appId: string; readonly currencyId: number; readonly atMs: number },
): Promise<number> {
  const [row] = await reader.read<{ low: number }>(FIRST_AT, [appId, currencyId, atMs]);
  return row?.low ?? 0;
}

const FIRST_AT = `
  WITH RECURSIVE halves (low, high) AS (
    SELECT 0::bigint, coalesce((SELECT max(last.entry_id) FROM accounts a CROSS JOIN LATERAL (
      SELECT entry_id FROM postings WHERE account_id = a.account_id ORDER BY account_id DESC, entry_id DESC LIMIT 1
    ) AS last WHERE ${OWN}) + 1, 0)
    UNION ALL
    SELECT CASE WHEN f.at_ms < $3 THEN f.entry_id + 1 ELSE h.low END, CASE WHEN f.at_ms < $3 THEN h.high ELSE m.middle END
    FROM halves h CROSS JOIN LATERAL (SELECT (h.low + h.high) / 2 AS middle) AS m LEFT JOIN LATERAL (
      SELECT e.entry_id, e.at_ms FROM accounts a CROSS JOIN LATERAL (
        SELECT entry_id FROM postings WHERE account_id = a.account_id AND entry_id >= m.middle
        ORDER BY account_id, entry_id LIMIT 1) AS p
      JOIN entries e USING (entry_id) WHERE ${OWN} ORDER BY e.entry_id LIMIT 1) AS f ON true
    WHERE h.low < h.high
  ) SELECT low FROM halves WHERE low >= high LIMIT 1`;

/** The orders that received these receipts, by the references of their entries. A receipt of no order is left out. */
export async function readOrdersOf(
  reader: Reader,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read<{ reference: string; trade_no: string }>(ORDERS_OF, [references]);
  return new Map(rows.map(({ reference, trade_no: tradeNo }) => [reference, tradeNo]));
}

// References as core's `transferReference` writes them. Each has a search of its own, because a join would read all
// transfers.
const ORDERS_OF = `
  SELECT r.reference, t.trade_no FROM unnest($1::text[]) AS r (reference) CROSS JOIN LATERAL (
    SELECT trade_no FROM transfers WHERE chain = split_part(r.reference, '/', 1)
      AND tx_id = split_part(r.reference, '/', 2) AND position = split_part(r.reference, '/', 3) LIMIT 1) AS t
  WHERE t.trade_no IS NOT NULL`;
