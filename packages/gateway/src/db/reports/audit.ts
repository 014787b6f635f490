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
  `SELECT format('custody %s in currency %s is %s units below nothing', owner, currency_id, balance) AS trouble
   FROM accounts WHERE kind = 'custody' AND balance > 0`,
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

/** The account that holds what an address of ours holds; null for a stranger's. */
const custodyOf = (side: string) =>
  `CASE ${side}.purpose WHEN 'wallet' THEN t.chain || '/' || ${side}.address
     ELSE CASE WHEN ${side}.address_id IS NOT NULL THEN t.chain END END`;

// What a final transfer must have been booked as: its fact, its owner, its custody on either side, to the unit. Between
// two addresses that one account holds, nothing is booked.
const BOOKED = `
  SELECT *, CASE disposition WHEN 'outgoing' THEN 'outflow' WHEN 'own' THEN CASE WHEN source <> target THEN 'move' END
      WHEN 'unassigned' THEN 'unassigned-receipt'
      ELSE CASE WHEN is_assigned THEN 'unassigned-receipt' ELSE 'deposit' END END AS fact
  FROM (
    SELECT t.chain, t.tx_id, t.position, t.currency_id, t.units, t.disposition, t.trade_no,
      t.chain || '/' || t.tx_id || '/' || t.position AS reference, coalesce(t.app_id, 'gateway') AS owner,
      assigned.chain IS NOT NULL AS is_assigned,
      ${custodyOf('recipient')} AS target, ${custodyOf('sender')} AS source
    FROM transfers t
      LEFT JOIN addresses recipient ON recipient.address_id = t.address_id
      LEFT JOIN addresses sender ON sender.address_id = t.from_address_id
      LEFT JOIN receipt_assignments assigned USING (chain, tx_id, position)
    WHERE t.state = 'final'
  ) AS sides`;

/** Whether an entry has such a posting. */
const posted = (condition: string) =>
  `EXISTS (SELECT FROM postings p JOIN accounts a USING (account_id) WHERE p.entry_id = e.entry_id AND ${condition})`;

const TRANSFERS = [
  `SELECT format('transfer %s and its booking differ', coalesce(t.reference, e.reference)) AS trouble
   FROM (SELECT * FROM (${BOOKED}) AS booked WHERE fact IS NOT NULL) AS t
   FULL JOIN (SELECT * FROM entries WHERE fact <> 'assignment') AS e USING (reference)
   WHERE t.chain IS NULL OR e.entry_id IS NULL OR t.fact <> e.fact
     OR (t.target IS NOT NULL AND NOT ${posted(
       `kind = 'custody' AND a.owner = t.target AND p.currency_id = t.currency_id AND p.units = -t.units`,
     )})
     OR (t.source IS NOT NULL AND NOT ${posted(
       `kind = 'custody' AND a.owner = t.source AND p.currency_id = t.currency_id AND p.units = t.units`,
     )})
     OR (t.fact = 'outflow' AND NOT ${posted(`kind = 'suspense' AND a.owner = t.chain AND p.units = -t.units`)})
     OR (t.fact IN ('deposit', 'unassigned-receipt') AND NOT ${posted(
       `a.owner = t.owner AND kind = CASE t.fact WHEN 'deposit' THEN 'available' ELSE 'unassigned' END`,
     )})
     OR ${posted(`kind IN ('available', 'frozen', 'unassigned') AND a.owner <> t.owner`)}`,
  `SELECT format('the assignment of %s and its booking differ', coalesce(t.reference, e.reference)) AS trouble
   FROM (SELECT booked.*, s.trade_no AS assigned_to FROM (${BOOKED}) AS booked
         JOIN receipt_assignments s USING (chain, tx_id, position)) AS t
   FULL JOIN (SELECT * FROM entries WHERE fact = 'assignment') AS e USING (reference)
   WHERE t.chain IS NULL OR e.entry_id IS NULL OR t.disposition = 'unassigned' OR t.trade_no <> t.assigned_to
     OR NOT ${posted(`kind = 'unassigned' AND a.owner = t.owner AND p.units = -t.units`)}
     OR NOT ${posted(`kind = 'available' AND a.owner = t.owner AND p.units > 0`)}`,
  `SELECT format('transfer %s/%s/%s is final above the final block of its chain', t.chain, tx_id, position) AS trouble
   FROM transfers t LEFT JOIN chain_cursors c USING (chain)
   WHERE state = 'final' AND block_number > coalesce(c.final_number, -1)`,
];

const ORDERS = [
  `SELECT format('order %s collected %s, its final transfers say %s', o.trade_no, o.collected,
     coalesce(sum(t.units), 0)) AS trouble
   FROM orders o LEFT JOIN transfers t ON t.trade_no = o.trade_no AND t.state = 'final'
     AND t.disposition IN ('payment', 'late', 'extra')
   GROUP BY o.trade_no HAVING o.collected <> coalesce(sum(t.units), 0)`,
  `SELECT format('order %s is %s, but %s of %s came in time', o.trade_no, o.status, coalesce(sum(t.units), 0), o.due)
     AS trouble
   FROM orders o LEFT JOIN transfers t ON t.trade_no = o.trade_no AND t.disposition = 'payment'
   GROUP BY o.trade_no
   HAVING (o.status = 'PAID')
     <> (coalesce(sum(t.units), 0) >= o.due - div(o.due * o.tolerance_ppm, 1000000))`,
  `SELECT format('order %s is %s and has %s final events', o.trade_no, o.status, count(e.event_id)) AS trouble
   FROM orders o LEFT JOIN events e ON e.trade_no = o.trade_no AND e.final AND e.status = o.status
   GROUP BY o.trade_no HAVING count(e.event_id) <> CASE o.status WHEN 'TO-BE-PAID' THEN 0 ELSE 1 END`,
];
