// What a person typed into the search, looked up by indexes alone: numbers, transactions, addresses.
import type { Reader } from '../../postgres/tx.ts';
import { oneOf } from '../../tables/one-of.ts';

export type FoundKind = 'order' | 'payout' | 'qr-code' | 'receipt' | 'event';

export interface Found {
  readonly kind: FoundKind;
  readonly id: string;
  readonly by: 'number' | 'own-number' | 'transaction' | 'address';
  readonly label: string;
  readonly status: string;
  /** Unix seconds. */
  readonly at: number;
}

export interface Search {
  readonly appIds: readonly string[];
  readonly text: string;
  /** The text as transaction ids of the chains are written, and as canonical addresses of the families. */
  readonly txIds: readonly string[];
  readonly addresses: readonly string[];
}

const TX_ID = /^(?:0x)?[0-9a-f]{64}$/;

/** EVM transactions are written with 0x, those of Tron without; people copy both either way. */
export function txIdsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (!TX_ID.test(lower)) return [];
  const bare = lower.replace(/^0x/, '');
  return [bare, `0x${bare}`];
}

/** The most results of each kind. If there are more, the person types more characters. */
const MOST_OF_A_KIND = 10;

/** Finds items of the given apps only. Results of the most certain statement come first. */
export async function findInMerchant(reader: Reader, search: Search): Promise<readonly Found[]> {
  const { appIds, text, txIds, addresses } = search;
  const byNumber = await reader.read<Found>(BY_NUMBER, [appIds, text, `${text}\u{10ffff}`, MOST_OF_A_KIND]);
  const byOwn = await reader.read<Found>(BY_OWN_NUMBER, [appIds, text]);
  const byTransaction =
    txIds.length === 0 ? [] : await reader.read<Found>(BY_TRANSACTION, [appIds, txIds, MOST_OF_A_KIND]);
  const byAddress =
    addresses.length === 0 ? [] : await reader.read<Found>(BY_ADDRESS, [appIds, addresses, MOST_OF_A_KIND]);
  const seen = new Set<string>();
  return [...byNumber, ...byOwn, ...byTransaction, ...byAddress].filter(({ kind, id }) => {
    const key = `${kind} ${id}`;
    return !seen.has(key) && seen.add(key);
  });
}

const ORDER = `'order' AS kind, o.trade_no AS id`;
const ORDER_REST = `o.out_trade_no AS label, o.status, o.create_time AS at`;

// Each app has a search of its own. Numbers are ordered by time, so the index by app and number serves a prefix as well.
const BY_NUMBER = `
  SELECT found.* FROM unnest($1::text[]) AS a (id) CROSS JOIN LATERAL (
    (SELECT ${ORDER}, 'number' AS by, ${ORDER_REST} FROM orders o
     WHERE ${oneOf('o.app_id', 'a.id')} AND o.trade_no >= $2 AND o.trade_no < $3
     ORDER BY o.app_id DESC, o.trade_no DESC LIMIT $4)
    UNION ALL
    (SELECT 'payout', p.trade_no, 'number', p.to_address, p.status, p.create_time FROM payouts p
     WHERE ${oneOf('p.app_id', 'a.id')} AND p.trade_no >= $2 AND p.trade_no < $3
     ORDER BY p.app_id DESC, p.trade_no DESC LIMIT $4)
    UNION ALL
    (SELECT 'event', e.event_id, 'number', e.trade_no, e.state, e.created_at_ms / 1000 FROM events e
     WHERE ${oneOf('e.app_id', 'a.id')} AND e.event_id >= $2 AND e.event_id < $3
     ORDER BY e.app_id DESC, e.event_id DESC LIMIT $4)
    UNION ALL
    (SELECT 'event', e.event_id, 'number', e.trade_no, e.state, e.created_at_ms / 1000 FROM archived_events e
     WHERE ${oneOf('e.app_id', 'a.id')} AND e.event_id >= $2 AND e.event_id < $3
     ORDER BY e.app_id DESC, e.event_id DESC LIMIT $4)) AS found
  ORDER BY id DESC LIMIT $4`;

const BY_OWN_NUMBER = `
  SELECT ${ORDER}, 'own-number' AS by, ${ORDER_REST}
  FROM unnest($1::text[]) AS a (id) JOIN order_keys k ON k.app_id = a.id AND k.out_trade_no = $2
    JOIN orders o ON o.trade_no = k.trade_no
  UNION ALL
  SELECT 'payout', p.trade_no, 'own-number', p.to_address, p.status, p.create_time
  FROM unnest($1::text[]) AS a (id) JOIN payouts p ON p.app_id = a.id AND p.idempotency_key = 'key:' || $2`;

/** The subjects of transfers and outgoing transactions. Chains are few, and the chain is first in each primary key. */
const BY_TRANSACTION = `
  WITH met AS (
    SELECT t.* FROM chain_cursors c CROSS JOIN unnest($2::text[]) AS w (tx_id)
      JOIN transfers t ON t.chain = c.chain AND t.tx_id = w.tx_id
    WHERE t.app_id = ANY ($1::text[]) LIMIT $3
  )
  SELECT ${ORDER}, 'transaction' AS by, ${ORDER_REST} FROM met JOIN orders o ON o.trade_no = met.trade_no
  UNION
  SELECT 'qr-code', q.qr_code_id::text, 'transaction', q.name,
    CASE WHEN q.disabled_time IS NULL THEN 'on' ELSE 'off' END, q.create_time
  FROM met JOIN qr_codes q ON q.address_id = met.address_id
  UNION
  SELECT 'receipt', met.tx_id, 'transaction', met.to_address, 'unassigned', met.block_time
  FROM met WHERE met.disposition = 'unassigned'
  UNION
  SELECT 'payout', p.trade_no, 'transaction', p.to_address, p.status, p.create_time
  FROM chain_cursors c CROSS JOIN unnest($2::text[]) AS w (tx_id)
    JOIN outgoing_variants v ON v.chain = c.chain AND v.tx_id = w.tx_id
    JOIN outgoing_transactions x ON x.outgoing_id = v.outgoing_id AND x.subject_kind = 'payout'
    JOIN payouts p ON p.trade_no = x.subject_id AND p.app_id = ANY ($1::text[])`;

const BY_ADDRESS = `
  WITH ours AS (
    SELECT d.* FROM unnest(ARRAY['evm', 'tron']) AS f (family) CROSS JOIN unnest($2::text[]) AS w (address)
      JOIN addresses d ON d.family = f.family AND d.address = w.address
    WHERE d.app_id = ANY ($1::text[])
  ), met AS (
    SELECT t.* FROM ours CROSS JOIN LATERAL (
      SELECT * FROM transfers t WHERE t.address_id = ours.address_id LIMIT 100) AS t
    ORDER BY t.block_time DESC LIMIT $3
  )
  SELECT ${ORDER}, 'address' AS by, ${ORDER_REST}
  FROM (SELECT trade_no FROM ours UNION SELECT trade_no FROM met) AS named JOIN orders o USING (trade_no)
  UNION
  SELECT 'qr-code', q.qr_code_id::text, 'address', q.name,
    CASE WHEN q.disabled_time IS NULL THEN 'on' ELSE 'off' END, q.create_time
  FROM ours JOIN qr_codes q ON q.address_id = ours.address_id
  UNION
  SELECT 'receipt', met.tx_id, 'address', met.to_address, 'unassigned', met.block_time
  FROM met WHERE met.disposition = 'unassigned'`;
