// What orders brought their app: the credit, the fee, and the value when it was booked; for a page of orders at once.
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import { IS_RECEIPT, priceIn, valueIn } from '../money/receipt-value.ts';

export interface OrderCredit {
  /** Credited to the app, after the fee. Credit and fee together are what the order collected. */
  readonly credited: Amount;
  readonly fee: Amount;
  /** In 10^-6 USD, as the statement values the receipts. */
  readonly value: bigint;
  /** How many receipts had no price. They are not in the value. */
  readonly unpriced: number;
}

interface CreditRow {
  readonly tradeNo: string;
  readonly currencyId: number;
  readonly credited: string;
  readonly fee: string;
  readonly value: string;
  readonly unpriced: number;
}

/**
 * The credits by order, without orders for which nothing counted. Row-level security hides the gateway's side of an
 * entry, so the caller has read these orders behind the wall before.
 */
export async function readOrderCredits(
  reader: Reader,
  tradeNos: readonly string[],
): Promise<ReadonlyMap<string, OrderCredit>> {
  if (tradeNos.length === 0) return new Map();
  const rows = await reader.read<CreditRow>(CREDITS, [tradeNos]);
  return new Map(
    rows.map(({ tradeNo, currencyId, credited, fee, value, unpriced }) => [
      tradeNo,
      {
        credited: fromNumeric(currencyId, credited),
        fee: fromNumeric(currencyId, fee),
        value: BigInt(value),
        unpriced,
      },
    ]),
  );
}

const IS_VALUED = `${IS_RECEIPT} AND b.kind <> 'fee'`;

// An assigned receipt was valued when it arrived, which is an entry of its own. A receipt that counted for nothing when it
// was reversed may be in another currency than its order.
const CREDITS = `
  SELECT t.trade_no AS "tradeNo", t.currency_id AS "currencyId",
    coalesce(sum(p.units) FILTER (WHERE b.kind IN ('available', 'receivable')), 0) AS credited,
    coalesce(sum(p.units) FILTER (WHERE b.kind = 'fee'), 0) AS fee,
    coalesce(sum(${valueIn('t.currency_id')}) FILTER (WHERE ${IS_VALUED}), 0) AS value,
    count(*) FILTER (WHERE ${IS_VALUED} AND price.price IS NULL) AS unpriced
  FROM transfers t LEFT JOIN receipt_assignments r USING (chain, tx_id, position)
    JOIN entries e ON e.reference = concat_ws('/', t.chain, t.tx_id, t.position) AND e.fact = ANY (
      CASE WHEN t.disposition = 'reversed' THEN ARRAY['reversal'] WHEN r.tx_id IS NULL THEN ARRAY['deposit']
        ELSE ARRAY['unassigned-receipt', 'assignment'] END)
    JOIN postings p USING (entry_id)
    JOIN accounts b ON b.account_id = p.account_id AND b.kind IN ('available', 'receivable', 'unassigned', 'fee')
    ${priceIn('t.currency_id', IS_VALUED)}
  WHERE t.trade_no = ANY ($1::text[]) AND t.disposition IN ('payment', 'late', 'extra', 'reversed')
  GROUP BY t.trade_no, t.currency_id HAVING bool_or(b.kind <> 'unassigned')`;
