// Orders are written: each takes an address from its app's pool, many in one statement.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Quote } from '@ducat/core/money/rate';
import type { OrderTerms } from '@ducat/core/order/order';
import { toNumeric } from '../amounts.ts';
import type { Tx } from '../../postgres/tx.ts';
import { type DetailRow, type OrderDetail, type OrderMode, toDetail } from './orders.ts';
import { evidenceText } from './quote-evidence.ts';
import { quoteText } from './quotes.ts';

export interface NewOrder {
  readonly tradeNo: string;
  readonly appId: string;
  readonly outTradeNo: string;
  readonly inputHash: string;
  readonly mode: OrderMode;
  readonly chain: string;
  readonly family: ChainFamily;
  readonly currencyId: number;
  readonly terms: OrderTerms;
  readonly tolerancePpm: bigint;
  readonly fiatName: string | null;
  readonly fiatAmount: string | null;
  readonly quote: Quote | null;
  readonly callbackUrl: string | null;
  readonly redirectUrl: string | null;
  readonly createTime: number;
}

/**
 * The result for one order: its row; `key-taken` if another order has its out_trade_no; `closed` if its currency is off
 * for the app, or its chain is halted or not read for it; `pool-empty` if no address is free.
 */
export type InsertedOrder = OrderDetail | 'key-taken' | 'closed' | 'pool-empty';

interface InsertedRow {
  readonly is_key_taken: boolean;
  readonly is_closed: boolean;
  readonly has_address: boolean;
}

/**
 * Writes orders in one statement; returns the result of each, in their order. An order whose out_trade_no is taken,
 * whose currency is closed, or whose app has no free address left changes nothing, and holds up none of the others.
 */
export async function insertOrders(tx: Tx, orders: readonly NewOrder[]): Promise<readonly InsertedOrder[]> {
  const rows = await tx.write<InsertedRow & (DetailRow | { readonly trade_no: null })>(INSERT_ORDERS, [
    orders.map(({ tradeNo }) => tradeNo),
    orders.map(({ appId }) => appId),
    orders.map(({ outTradeNo }) => outTradeNo),
    orders.map(({ inputHash }) => inputHash),
    orders.map(({ mode }) => mode),
    orders.map(({ chain }) => chain),
    orders.map(({ family }) => family),
    orders.map(({ currencyId }) => currencyId),
    orders.map(({ terms }) => toNumeric(terms.due)),
    orders.map(({ terms }) => toNumeric(terms.collected)),
    orders.map(({ tolerancePpm }) => Number(tolerancePpm)),
    orders.map(({ fiatName }) => fiatName),
    orders.map(({ fiatAmount }) => fiatAmount),
    orders.map(({ quote }) => (quote === null ? null : quoteText(quote))),
    orders.map(({ quote }) => (quote === null ? null : evidenceText(quote.evidence))),
    orders.map(({ callbackUrl }) => callbackUrl),
    orders.map(({ redirectUrl }) => redirectUrl),
    orders.map(({ createTime }) => createTime),
    orders.map(({ terms }) => terms.timeExpire),
  ]);
  return rows.map((row) => {
    if (row.trade_no !== null) return toDetail(row);
    if (row.is_key_taken || row.has_address) return 'key-taken';
    return row.is_closed ? 'closed' : 'pool-empty';
  });
}

// An order that exists already, or whose currency is closed, takes no address. Both are looked up by subqueries of one
// value, because with EXISTS the planner may read the numbers of all orders at once. Numbers are inserted in one order,
// so that two processes with the same numbers cannot deadlock. If two orders ask for one number at the same moment, the
// second has locked an address, which stays free.
// The pool is searched in the order of its index, app and family included. By address_id alone the planner may take the
// primary key, while it believes most addresses free, and walk past every address that was ever taken.
const INSERT_ORDERS = `
  WITH asked AS MATERIALIZED (
    SELECT w.*,
      (SELECT k.trade_no FROM order_keys k WHERE k.app_id = w.app_id AND k.out_trade_no = w.out_trade_no) IS NOT NULL
        AS is_key_taken,
      (SELECT f.app_id FROM app_currencies_off f WHERE f.app_id = w.app_id AND f.currency_id = w.currency_id) IS NOT NULL
        OR (SELECT c.halted_reason IS NOT NULL OR c.head_number IS NULL OR w.currency_id <> ALL(c.currency_ids)
          FROM chain_cursors c WHERE c.chain = w.chain) IS TRUE AS is_closed
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[],
                $9::numeric[], $10::numeric[], $11::integer[], $12::text[], $13::text[], $14::text[], $15::text[],
                $16::text[], $17::text[], $18::bigint[], $19::bigint[]) WITH ORDINALITY
      AS w (trade_no, app_id, out_trade_no, input_hash, mode, chain, family, currency_id, due, collected, tolerance_ppm,
            fiat_name, fiat_amount, quote, evidence, callback_url, redirect_url, create_time, time_expire, place)
  ), wanted AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY app_id, family ORDER BY place) AS turn FROM asked
    WHERE NOT (is_key_taken OR is_closed)
  ), free AS MATERIALIZED (
    SELECT pool.app_id, pool.family, found.address_id,
      row_number() OVER (PARTITION BY pool.app_id, pool.family ORDER BY found.address_id) AS turn
    FROM (SELECT app_id, family, count(*) AS wants FROM wanted GROUP BY app_id, family) AS pool
    CROSS JOIN LATERAL (
      SELECT address_id FROM addresses a
      WHERE (a.app_id, a.family, a.address_id) >= (pool.app_id, pool.family, 0)
        AND (a.app_id, a.family) <= (pool.app_id, pool.family)
        AND a.purpose = 'order' AND a.trade_no IS NULL AND NOT a.retired
      ORDER BY a.app_id, a.family, a.address_id LIMIT pool.wants FOR UPDATE SKIP LOCKED
    ) AS found
  ), placed AS MATERIALIZED (
    SELECT wanted.*, free.address_id FROM wanted JOIN free USING (app_id, family, turn)
  ), keyed AS (
    INSERT INTO order_keys (app_id, out_trade_no, trade_no)
    SELECT app_id, out_trade_no, trade_no FROM placed ORDER BY app_id, out_trade_no
    ON CONFLICT (app_id, out_trade_no) DO NOTHING RETURNING trade_no
  ), taken AS (
    UPDATE addresses a SET trade_no = keyed.trade_no FROM placed JOIN keyed USING (trade_no)
    WHERE a.address_id = placed.address_id
    RETURNING a.address_id, a.address, a.derivation_index, a.trade_no
  ), proven AS (
    INSERT INTO quote_evidence (trade_no, evidence)
    SELECT trade_no, evidence::jsonb FROM placed JOIN keyed USING (trade_no) WHERE evidence IS NOT NULL
  ), added AS (
    INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address,
      due, collected, tolerance_ppm, status, fiat_name, fiat_amount, quote, callback_url, redirect_url,
      create_time, time_expire)
    SELECT p.trade_no, p.app_id, p.out_trade_no, p.input_hash, p.mode, p.chain, p.currency_id, taken.address_id,
      taken.address, p.due, p.collected, p.tolerance_ppm, 'TO-BE-PAID', p.fiat_name, p.fiat_amount, p.quote::jsonb,
      p.callback_url, p.redirect_url, p.create_time, p.time_expire
    FROM placed p JOIN taken ON taken.trade_no = p.trade_no RETURNING *
  )
  SELECT added.*, taken.derivation_index, k.account_public_key, NULL::bigint AS newest_block,
    asked.is_key_taken, asked.is_closed, placed.trade_no IS NOT NULL AS has_address
  FROM asked
  LEFT JOIN placed ON placed.trade_no = asked.trade_no
  LEFT JOIN added ON added.trade_no = asked.trade_no
  LEFT JOIN taken ON taken.trade_no = asked.trade_no
  LEFT JOIN account_keys k ON k.app_id = asked.app_id AND k.family = asked.family
  ORDER BY asked.place`;
