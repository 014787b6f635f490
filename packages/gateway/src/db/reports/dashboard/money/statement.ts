// The statement of an app in one currency: what it began and ended with, and every posting between, page by page.
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
  /** Null for what is no receipt, for which nobody asks. */
  readonly receipt: ReceiptValue | null;
}

/** What is asked about: an app, a currency, and entries from the first up to, without, the second number. */
export interface StatementSpan {
  readonly appId: string;
  readonly currencyId: number;
  readonly from: number;
  readonly before: number;
}

/** Sorts behind every entry. */
export const BEHIND_ENTRIES = Number.MAX_SAFE_INTEGER;

/** An entry touches few accounts, and a page never ends inside one. */
const MOST_OF_ENTRY = 8;

/** Whole entries, as many as have up to `limit` postings and at least one, in the order that is asked for. */
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

/** Accounts `a` of the app $1 in the currency $2. */
export const OWN = `a.owner = $1 AND a.currency_id = $2 AND a.kind IN ('available', 'frozen', 'unassigned')`;

/** By app, currency, the entry behind the last, the most postings, and the first entry. */
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
  /** What came in and what went out between; neither is negative. */
  readonly came: Amount;
  readonly went: Amount;
  readonly closing: Amount;
}

/** Of each account, from one view of the books: opening + came - went = closing. */
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

// From what the account holds now, back over what was posted since. An account that was made and never used is left out.
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
  /** How many of them had no price; they are not in the value. */
  readonly unpriced: number;
  /** In 10^-6 USD: the sum of the values of all others. */
  readonly value: bigint;
}

/** Of what an app received in a currency, in entries from the first up to, without, the second number. */
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
 * The first entry of the app in that currency at or after a time; behind its last entry where there is none. Entries are
 * numbered as they are begun, so a time is found by halving; two that were written side by side may change places.
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

/** The orders that receipts came for, by the references of their entries; one that came for none is not there. */
export async function readOrdersOf(
  reader: Reader,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read<{ reference: string; trade_no: string }>(ORDERS_OF, [references]);
  return new Map(rows.map(({ reference, trade_no: tradeNo }) => [reference, tradeNo]));
}

// As core's `transferReference` writes them. Each is looked for by itself: joined, transfers were read from end to end.
const ORDERS_OF = `
  SELECT r.reference, t.trade_no FROM unnest($1::text[]) AS r (reference) CROSS JOIN LATERAL (
    SELECT trade_no FROM transfers WHERE chain = split_part(r.reference, '/', 1)
      AND tx_id = split_part(r.reference, '/', 2) AND position = split_part(r.reference, '/', 3) LIMIT 1) AS t
  WHERE t.trade_no IS NOT NULL`;
