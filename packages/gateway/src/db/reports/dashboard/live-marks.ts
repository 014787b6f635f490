// Short texts that change when the content of a live page changes: one query for all pages of a kind.
import type { Reader } from '../../postgres/tx.ts';
import { oneOf } from '../../tables/one-of.ts';

interface MarkRow {
  readonly id: string;
  readonly mark: string;
}

const toMarks = (rows: readonly MarkRow[]) => new Map(rows.map(({ id, mark }) => [id, mark]));

/**
 * By merchant: its newest order, payout, event and transfer. An item that ends without any of these is found by a full
 * reload.
 */
export async function readMerchantMarks(
  reader: Reader,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const newest = (table: string, key: string) =>
    `(SELECT ${key} FROM ${table} t WHERE ${oneOf('t.app_id', 'a.app_id')}
      ORDER BY app_id DESC, ${key} DESC LIMIT 1)`;
  const rows = await reader.read<MarkRow>(
    `SELECT a.merchant_id AS id, string_agg(concat_ws(' ', a.app_id, ${newest('orders', 'trade_no')},
       ${newest('payouts', 'trade_no')}, ${newest('events', 'event_id')},
       (SELECT max(block_time) FROM transfers WHERE app_id = a.app_id)), ',' ORDER BY a.app_id) AS mark
     FROM apps a WHERE a.merchant_id = ANY($1) GROUP BY a.merchant_id`,
    [merchantIds],
  );
  return toMarks(rows);
}

/**
 * By order: its state, its transfers (with the chain's head while they are not final), its events, and refunds of it
 * and its receipts.
 */
export async function readOrderMarks(
  reader: Reader,
  tradeNos: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read<MarkRow>(
    `SELECT o.trade_no AS id, md5(concat_ws(' ', o.status, o.collected,
       (SELECT string_agg(concat_ws(' ', t.tx_id, t.position, t.state, t.block_hash, t.disposition,
          CASE WHEN t.state <> 'final' THEN c.head_number END), ',' ORDER BY t.chain, t.tx_id, t.position)
        FROM transfers t LEFT JOIN chain_cursors c USING (chain) WHERE t.trade_no = o.trade_no),
       (SELECT string_agg(concat_ws(' ', event_id, state, attempts), ',' ORDER BY sequence)
        FROM events WHERE trade_no = o.trade_no),
       (SELECT string_agg(concat_ws(' ', p.trade_no, p.status), ',' ORDER BY p.trade_no)
        FROM order_refunds r JOIN payouts p USING (trade_no) WHERE r.order_trade_no = o.trade_no),
       (SELECT string_agg(concat_ws(' ', p.trade_no, p.status), ',' ORDER BY p.trade_no)
        FROM transfers t JOIN receipt_refunds b USING (chain, tx_id, position) JOIN payouts p ON p.trade_no = b.trade_no
        WHERE t.trade_no = o.trade_no))) AS mark
     FROM orders o WHERE o.trade_no = ANY($1)`,
    [tradeNos],
  );
  return toMarks(rows);
}

/** By payout: its state, its approvals, what was sent for it with the blocks that hold it, and its events. */
export async function readPayoutMarks(
  reader: Reader,
  tradeNos: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read<MarkRow>(
    `SELECT p.trade_no AS id, md5(concat_ws(' ', p.status, p.claimed, p.approved_until,
       (SELECT count(*) FROM payout_approvals a WHERE a.trade_no = p.trade_no),
       (SELECT string_agg(concat_ws(' ', o.state, o.trouble, v.tx_id, v.sends, v.last_answer, i.block_number, i.final), ','
          ORDER BY v.ordinal)
        FROM outgoing_transactions o LEFT JOIN outgoing_variants v USING (outgoing_id)
          LEFT JOIN inclusions i ON i.chain = v.chain AND i.tx_id = v.tx_id
        WHERE o.subject_kind = 'payout' AND o.subject_id = p.trade_no),
       (SELECT string_agg(concat_ws(' ', event_id, state, attempts), ',' ORDER BY sequence)
        FROM events WHERE trade_no = p.trade_no))) AS mark
     FROM payouts p WHERE p.trade_no = ANY($1)`,
    [tradeNos],
  );
  return toMarks(rows);
}
