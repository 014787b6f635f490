// What one round of paying takes: each sender and each app gets its turn, however long the queue of another one is.
// $1: the chain. $2: now, in milliseconds. $3: the most of each list. $4: one id alone, or null. $5, of payouts: the family.
import { notQuarantined } from './not-quarantined.ts';

const DUE = `o.next_at_ms <= $2 AND ($4::text IS NULL OR o.outgoing_id = $4)
  AND ${notQuarantined('outgoing', 'o.outgoing_id', '$2')}`;

/** Each distinct value of a column in the order of an index: one search for each, where DISTINCT would read every row. */
const eachOf = (column: string, table: string, where: string) => `(
    (SELECT ${column} FROM ${table} WHERE ${where} ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT t.${column} FROM ${table} t WHERE ${where} AND t.${column} > before.${column}
      ORDER BY t.${column} LIMIT 1) FROM each_one AS before WHERE before.${column} IS NOT NULL)`;

const UNCLAIMED = "chain = $1 AND status = 'PROGRESS' AND NOT claimed";

/**
 * Ids of outgoing transactions that are due, as common table expressions that end with `due_ids`. Transactions that
 * were begun come however long a queue is, because one of them may free it. Of one sender the lowest nonce comes first,
 * as mempools want it. Waiting transactions come from each sender in turn, the oldest first.
 */
export const DUE_IDS = `
  RECURSIVE each_one (sender_id) AS ${eachOf('sender_id', 'outgoing_transactions', "chain = $1 AND state = 'waiting'")},
  begun AS (
    SELECT o.outgoing_id FROM outgoing_transactions o WHERE o.chain = $1 AND o.state <> 'waiting' AND ${DUE}
    ORDER BY o.next_at_ms, o.nonce, o.outgoing_id LIMIT $3
  ), waiting AS (
    SELECT w.outgoing_id FROM each_one s, LATERAL (
      SELECT o.outgoing_id, o.next_at_ms, row_number() OVER (ORDER BY o.next_at_ms, o.outgoing_id) AS turn
      FROM outgoing_transactions o
      WHERE o.chain = $1 AND o.state = 'waiting' AND o.sender_id = s.sender_id AND ${DUE}
      ORDER BY o.next_at_ms, o.outgoing_id LIMIT $3) AS w
    ORDER BY w.turn, w.next_at_ms, w.outgoing_id LIMIT $3
  ), due_ids AS (TABLE begun UNION ALL TABLE waiting)`;

/**
 * Ids of payouts that may be claimed, as common table expressions that end with `ready_ids`: from each app in turn, the
 * oldest first. None while the chain is halted, in a suspended currency, or of an app without a wallet.
 */
export const readyIds = (locking: '' | 'FOR UPDATE SKIP LOCKED'): string => `
  RECURSIVE each_one (app_id) AS ${eachOf('app_id', 'payouts', UNCLAIMED)},
  ready_ids AS (
    SELECT r.trade_no FROM each_one a, LATERAL (
      SELECT trade_no, row_number() OVER (ORDER BY trade_no) AS turn FROM (
        SELECT p.trade_no FROM payouts p
        WHERE p.chain = $1 AND p.status = 'PROGRESS' AND NOT p.claimed AND p.app_id = a.app_id
          AND (NOT p.needs_approval OR p.approved_until > $2::bigint / 1000)
          AND NOT EXISTS (SELECT FROM currency_suspensions s WHERE s.currency_id = p.currency_id)
          AND ($4::text IS NULL OR p.trade_no = $4) AND ${notQuarantined('payout', 'p.trade_no', '$2')}
        ORDER BY p.trade_no LIMIT $3 ${locking}) AS oldest) AS r
    WHERE NOT EXISTS (SELECT FROM chain_cursors c WHERE c.chain = $1 AND c.halted_reason IS NOT NULL)
      AND EXISTS (SELECT FROM addresses d
        WHERE d.app_id = a.app_id AND d.family = $5 AND d.purpose = 'wallet' AND NOT d.retired)
    ORDER BY r.turn, r.trade_no LIMIT $3
  )`;
