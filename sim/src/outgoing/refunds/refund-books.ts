// Reads refunds and refundable receipts as plain rows, with the simulator's own statements.
import type { Reader } from '@ducat/gateway/db/postgres/tx';

/** A final receipt that counts for no order, at an address that payers are shown. */
export interface RefundableRow {
  readonly chain: string;
  readonly tx_id: string;
  readonly position: string;
  readonly app_id: string;
  readonly currency_id: number;
  readonly units: string;
}

/** A payout that refunds an order or a receipt. */
export interface RefundRow {
  readonly trade_no: string;
  readonly status: string;
  readonly amount: string;
  /** The order that the refund counts against; null where a receipt counts for no order. */
  readonly order_trade_no: string | null;
  /** What that order collected. */
  readonly collected: string | null;
  /** The receipt that is sent back; null where the order itself is refunded. */
  readonly receipt: string | null;
}

export function readRefundable(reader: Reader): Promise<readonly RefundableRow[]> {
  return reader.read<RefundableRow>(
    `SELECT t.chain, tx_id, position, t.app_id, currency_id, units::text
     FROM transfers t JOIN addresses d USING (address_id)
     WHERE t.state = 'final' AND t.app_id IS NOT NULL AND disposition IN ('unassigned', 'late', 'extra')
       AND d.purpose <> 'wallet' ORDER BY t.chain, tx_id, position`,
    [],
  );
}

export async function readCollected(reader: Reader, tradeNo: string): Promise<bigint> {
  const [row] = await reader.read<{ readonly collected: string }>(
    'SELECT collected::text FROM orders WHERE trade_no = $1',
    [tradeNo],
  );
  return BigInt(row?.collected ?? 0);
}

/** All refunds as one JSON list, for the statement that reads everything of payouts. */
export const REFUNDS = `
  (SELECT coalesce(json_agg(r ORDER BY trade_no), '[]') FROM (
    SELECT p.trade_no, p.status, p.amount::text, o.trade_no AS order_trade_no, o.collected::text, b.receipt
    FROM (SELECT trade_no, order_trade_no, NULL AS receipt FROM order_refunds
          UNION ALL
          SELECT r.trade_no, CASE WHEN t.disposition IN ('late', 'extra') THEN t.trade_no END,
                 r.chain || '/' || r.tx_id || '/' || r.position
          FROM receipt_refunds r JOIN transfers t USING (chain, tx_id, position)) AS b
      JOIN payouts p USING (trade_no) LEFT JOIN orders o ON o.trade_no = b.order_trade_no) AS r)`;
