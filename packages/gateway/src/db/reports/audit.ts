// The books against themselves: every statement here finds one kind of corruption and says it in words.
import { Outage } from '../../runtime/outage.ts';
import type { Reader } from '../postgres/tx.ts';

/**
 * What is wrong inside the books, in words, at most a hundred findings a kind; empty when every sum agrees. A check
 * that the database did not end is a finding too: books that nobody looked at are not proven.
 */
export async function auditBooks(reader: Reader): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const sql of [...LEDGER, ...TRANSFERS, ...ORDERS]) {
    try {
      const rows = await reader.read<{ trouble: string }>(`${sql} LIMIT 100`, []);
      troubles.push(...rows.map((row) => row.trouble));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      troubles.push(`not checked, ${error.message}: ${sql.trim().slice(0, 80)}`);
    }
  }
  return troubles;
}

const LEDGER = [
  `SELECT format('currency %s: all accounts sum to %s, not to zero', currency_id, sum(balance)) AS trouble
   FROM accounts GROUP BY currency_id HAVING sum(balance) <> 0`,
  `SELECT format('entry %s does not balance in currency %s', entry_id, currency_id) AS trouble
   FROM postings GROUP BY entry_id, currency_id HAVING sum(units) <> 0`,
  `SELECT format('entry %s has no postings', entry_id) AS trouble
   FROM entries e WHERE NOT EXISTS (SELECT FROM postings p WHERE p.entry_id = e.entry_id)`,
  `SELECT format('account %s of %s in currency %s says %s, its postings say %s', kind, owner, a.currency_id, a.balance,
     coalesce(sum(units), 0)) AS trouble
   FROM accounts a LEFT JOIN postings USING (account_id)
   GROUP BY a.account_id HAVING a.balance <> coalesce(sum(units), 0)`,
];

// What a final transfer must have been booked as: its fact, its app, its custody, to the unit.
const TRANSFERS = [
  `SELECT format('transfer %s/%s/%s and its booking differ', coalesce(t.chain, '?'), coalesce(t.tx_id, e.reference),
     coalesce(t.position, '?')) AS trouble
   FROM (SELECT *, chain || '/' || tx_id || '/' || position AS reference FROM transfers WHERE state = 'final') AS t
   FULL JOIN (SELECT * FROM entries WHERE fact IN ('deposit', 'unassigned-receipt')) AS e USING (reference)
   WHERE t.chain IS NULL OR e.entry_id IS NULL
     OR (t.disposition = 'unassigned') <> (e.fact = 'unassigned-receipt')
     OR NOT EXISTS (
       SELECT FROM postings JOIN accounts a USING (account_id)
       WHERE entry_id = e.entry_id AND kind = 'custody' AND owner = t.chain AND a.currency_id = t.currency_id
         AND units = -t.units)
     OR NOT EXISTS (
       SELECT FROM postings JOIN accounts USING (account_id)
       WHERE entry_id = e.entry_id AND owner = t.app_id
         AND kind = CASE t.disposition WHEN 'unassigned' THEN 'unassigned' ELSE 'available' END)
     OR EXISTS (
       SELECT FROM postings JOIN accounts USING (account_id)
       WHERE entry_id = e.entry_id AND kind IN ('available', 'frozen', 'unassigned') AND owner <> t.app_id)`,
  `SELECT format('transfer %s/%s/%s is final above the final block of its chain', t.chain, tx_id, position) AS trouble
   FROM transfers t LEFT JOIN chain_cursors c USING (chain)
   WHERE state = 'final' AND block_number > coalesce(c.final_number, -1)`,
];

const ORDERS = [
  `SELECT format('order %s collected %s, its final transfers say %s', o.trade_no, o.collected,
     coalesce(sum(t.units), 0)) AS trouble
   FROM orders o LEFT JOIN transfers t ON t.trade_no = o.trade_no AND t.state = 'final'
     AND t.disposition <> 'unassigned'
   GROUP BY o.trade_no HAVING o.collected <> coalesce(sum(t.units), 0)`,
  `SELECT format('order %s is %s, but %s of %s came in time', o.trade_no, o.status, coalesce(sum(t.units), 0), o.due)
     AS trouble
   FROM orders o LEFT JOIN transfers t ON t.trade_no = o.trade_no AND t.disposition = 'payment'
   GROUP BY o.trade_no
   HAVING (o.status = 'PAID')
     <> (coalesce(sum(t.units), 0) >= o.due - div(o.due * o.tolerance_ppm, 1000000))`,
  `SELECT format('order %s is %s and has %s final events', o.trade_no, o.status, count(f.event_id)) AS trouble
   FROM orders o LEFT JOIN final_events f ON f.trade_no = o.trade_no AND f.status = o.status
   GROUP BY o.trade_no HAVING count(f.event_id) <> CASE o.status WHEN 'TO-BE-PAID' THEN 0 ELSE 1 END`,
  `SELECT format('the final event %s of %s is neither in the outbox nor in the archive', event_id, f.trade_no) AS trouble
   FROM final_events f LEFT JOIN (
     SELECT event_id, trade_no, status, final FROM events
     UNION ALL SELECT event_id, trade_no, status, final FROM archived_events
   ) AS e USING (event_id)
   WHERE e.final IS NOT TRUE OR e.trade_no <> f.trade_no OR e.status <> f.status`,
  `SELECT format('order %s has no key, or a key of %s', o.trade_no, coalesce(k.trade_no, 'none')) AS trouble
   FROM orders o LEFT JOIN order_keys k USING (app_id, out_trade_no)
   WHERE k.trade_no IS DISTINCT FROM o.trade_no`,
];
