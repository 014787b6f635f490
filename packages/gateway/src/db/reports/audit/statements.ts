// The books against themselves: each statement finds one kind of corruption in a batch of rows, and says it in words.
// A batch is handed in as lists, so that every plan begins with them and never with a whole table.
import { isReversed } from '../../tables/transfers/reversals.ts';

/** $1: entries by number. */
const ENTRY_BATCH = 'entry_id = ANY($1::bigint[])';

/** Transfers by chain, transaction id and position, in lists from $n on. */
const transferBatch = (n: number) => `(t.chain, t.tx_id, t.position) IN (
  SELECT * FROM unnest($${n}::text[], $${n + 1}::text[], $${n + 2}::text[]))`;

/** $1: orders by number. */
const orderBatch = (column: string) => `${column} = ANY($1::text[])`;

/** The owner of the custody account for an address of ours; null for a stranger's address. */
const custodyOf = (side: string) =>
  `CASE ${side}.purpose WHEN 'wallet' THEN t.chain || '/' || ${side}.address
     ELSE CASE WHEN ${side}.address_id IS NOT NULL THEN t.chain END END`;

// How a final transfer must have been booked: its fact, its owner, and its custody on either side, to the unit. Nothing
// is booked between two addresses that share one account. A return from cold storage has no custody as its source.
const booked = (batch: string) => `
  SELECT *, CASE disposition WHEN 'outgoing' THEN 'outflow' WHEN 'sent' THEN CASE position WHEN 'unread' THEN 'sent-unread' ELSE 'sent' END WHEN 'own' THEN CASE WHEN source IS DISTINCT FROM target THEN 'move' END
      WHEN 'unassigned' THEN 'unassigned-receipt' WHEN 'reversed' THEN 'reversal'
      ELSE CASE WHEN is_assigned THEN 'unassigned-receipt' ELSE 'deposit' END END AS fact
  FROM (
    SELECT t.chain, t.tx_id, t.position, t.currency_id, t.units, t.disposition, t.trade_no,
      t.chain || '/' || t.tx_id || '/' || t.position AS reference, coalesce(t.app_id, 'gateway') AS owner,
      assigned.chain IS NOT NULL AS is_assigned, assigned.trade_no AS assigned_to,
      ${custodyOf('recipient')} AS target, ${custodyOf('sender')} AS source
    FROM transfers t
      LEFT JOIN addresses recipient ON recipient.address_id = t.address_id
      LEFT JOIN addresses sender ON sender.address_id = t.from_address_id
      LEFT JOIN receipt_assignments assigned USING (chain, tx_id, position)
    WHERE t.state = 'final' AND ${batch}
  ) AS sides`;

/** The network fees of final transactions of ours; by chain, transaction id and a third list from $n on. */
const paid = (n: number) => `
  SELECT i.chain, i.chain || '/' || i.tx_id || '/fee' AS reference, i.currency_id, i.fee,
    CASE payer.purpose WHEN 'wallet' THEN i.chain || '/' || payer.address ELSE i.chain END AS source
  FROM inclusions i JOIN addresses payer USING (address_id)
  WHERE i.final AND (i.chain, i.tx_id) IN (
    SELECT chain, tx_id FROM unnest($${n}::text[], $${n + 1}::text[], $${n + 2}::text[]) AS named (chain, tx_id, position))`;

/** Whether an entry has such a posting. */
const posted = (condition: string) =>
  `EXISTS (SELECT FROM postings p JOIN accounts a USING (account_id) WHERE p.entry_id = e.entry_id AND ${condition})`;

/** Take a list of entries. */
export const ENTRIES: readonly string[] = [
  `SELECT format('entry %s does not balance in currency %s', entry_id, currency_id) AS finding
   FROM postings WHERE ${ENTRY_BATCH} GROUP BY entry_id, currency_id HAVING sum(units) <> 0`,
  `SELECT format('entry %s has no postings', entry_id) AS finding
   FROM entries e WHERE ${ENTRY_BATCH} AND NOT EXISTS (SELECT FROM postings p WHERE p.entry_id = e.entry_id)`,
];

/** Whether an entry took a receipt out of the books that was put back since. Its transfer counts no more. */
const REINSTATED = `EXISTS (SELECT FROM entries back WHERE entries.fact IN ('reversal', 'move') AND back.fact = 'reinstatement'
  AND back.reference = entries.reference)`;

/** Take a list of entries and the identities of the transfers that they name. */
export const BOOKINGS: readonly string[] = [
  `SELECT format('transfer %s and its booking differ', e.reference) AS finding
   FROM (SELECT * FROM entries WHERE ${ENTRY_BATCH}
     AND fact IN ('deposit', 'unassigned-receipt', 'outflow', 'sent', 'sent-unread', 'move', 'reversal')
     AND NOT ${REINSTATED}) AS e
   LEFT JOIN (${booked(transferBatch(2))}) AS t USING (reference)
   WHERE t.chain IS NULL OR t.fact IS DISTINCT FROM e.fact
     OR (t.target IS NOT NULL AND NOT ${posted(
       `kind = 'custody' AND a.owner = t.target AND p.currency_id = t.currency_id AND p.units = -t.units`,
     )})
     OR (t.source IS NOT NULL AND NOT ${posted(
       `kind = 'custody' AND a.owner = t.source AND p.currency_id = t.currency_id AND p.units = t.units`,
     )})
     OR (t.fact = 'move' AND t.source IS NULL AND NOT ${posted(
       `kind = 'cold' AND p.currency_id = t.currency_id AND p.units = t.units`,
     )})
     OR (t.fact = 'outflow' AND NOT ${posted(`kind = 'suspense' AND a.owner = t.chain AND p.units = -t.units`)})
     OR (t.fact IN ('sent', 'sent-unread') AND NOT ${posted(`kind = 'sent' AND a.owner = t.chain AND p.units = -t.units`)})
     OR (t.fact IN ('deposit', 'unassigned-receipt') AND NOT ${posted(
       `a.owner = t.owner AND kind = CASE t.fact WHEN 'deposit' THEN 'available' ELSE 'unassigned' END`,
     )})
     OR ${posted(`kind IN ('available', 'frozen', 'unassigned', 'receivable') AND a.owner <> t.owner`)}`,
  `SELECT format('the reinstatement of %s and its reversal differ', e.reference) AS finding
   FROM (SELECT * FROM entries WHERE ${ENTRY_BATCH} AND fact = 'reinstatement') AS e
   LEFT JOIN entries undone ON undone.fact IN ('reversal', 'move') AND undone.reference = e.reference
   LEFT JOIN transfers t ON t.chain || '/' || t.tx_id || '/' || t.position = e.reference
     AND ${transferBatch(2)}
   WHERE undone.entry_id IS NULL OR t.state IS DISTINCT FROM 'orphaned'
     OR EXISTS (SELECT FROM postings p JOIN accounts a USING (account_id)
       WHERE p.entry_id IN (e.entry_id, undone.entry_id) AND a.kind NOT IN ('available', 'receivable')
       GROUP BY p.account_id HAVING sum(p.units) <> 0)`,
  `SELECT format('the assignment of %s and its booking differ', e.reference) AS finding
   FROM (SELECT * FROM entries WHERE ${ENTRY_BATCH} AND fact = 'assignment') AS e
   LEFT JOIN (${booked(transferBatch(2))}) AS t USING (reference)
   WHERE t.chain IS NULL OR t.disposition = 'unassigned' OR t.trade_no IS DISTINCT FROM t.assigned_to
     OR NOT ${posted(`kind = 'unassigned' AND a.owner = t.owner AND p.units = -t.units`)}
     OR NOT ${posted(`kind = 'available' AND a.owner = t.owner AND p.units > 0`)}`,
  `SELECT format('the network fee %s and its booking differ', e.reference) AS finding
   FROM (SELECT * FROM entries WHERE ${ENTRY_BATCH} AND fact = 'network-fee') AS e
   LEFT JOIN (${paid(2)}) AS i USING (reference)
   WHERE i.chain IS NULL
     OR NOT ${posted(`kind = 'custody' AND a.owner = i.source AND p.currency_id = i.currency_id AND p.units = i.fee`)}
     OR NOT ${posted(`kind = 'network-fee' AND p.currency_id = i.currency_id AND p.units = -i.fee`)}`,
];

/** Take a list of entries. Those of payouts name the payout. */
export const PAYOUTS: readonly string[] = [
  `SELECT format('payout %s is %s, and its %s is not booked as that', e.reference, coalesce(p.status, 'unknown'), e.fact)
     AS finding
   FROM (SELECT * FROM entries WHERE ${ENTRY_BATCH} AND fact IN ('reservation', 'payout', 'release')) AS e
   LEFT JOIN payouts p ON p.trade_no = e.reference
   WHERE p.trade_no IS NULL OR (e.fact = 'payout' AND p.status <> 'PAID')
     OR (e.fact = 'release' AND p.status NOT IN ('FAIL', 'CANCEL'))
     OR NOT EXISTS (
       SELECT FROM postings bound JOIN accounts a USING (account_id)
       WHERE bound.entry_id = e.entry_id AND a.kind = 'frozen' AND a.owner = p.app_id
         AND bound.currency_id = p.currency_id
         AND bound.units = CASE e.fact WHEN 'reservation' THEN p.reserved ELSE -p.reserved END)`,
  `SELECT format('payout %s is %s and has no event of it', p.trade_no, p.status) AS finding
   FROM (SELECT * FROM entries WHERE ${ENTRY_BATCH} AND fact IN ('payout', 'release')) AS e
   JOIN payouts p ON p.trade_no = e.reference
   WHERE p.status <> 'CANCEL'
     AND NOT EXISTS (SELECT FROM final_events f WHERE f.trade_no = p.trade_no AND f.status = p.status)`,
];

/** Take a list of entries. Those of transfers to cold storage name the transfer. */
export const COLD_TRANSFERS: readonly string[] = [
  `SELECT format('the transfer to cold storage %s and its booking differ', e.reference) AS finding
   FROM (SELECT * FROM entries WHERE ${ENTRY_BATCH} AND fact = 'cold-transfer') AS e
   LEFT JOIN outgoing_transactions o ON o.subject_kind = 'cold' AND o.subject_id = e.reference
   LEFT JOIN cold_endings c ON c.cold_transfer_id = e.reference
   LEFT JOIN transfers t ON t.chain = c.chain AND t.tx_id = c.tx_id AND t.position = c.position AND t.state = 'final'
   WHERE (o.state IS DISTINCT FROM 'succeeded' AND t.chain IS NULL) OR NOT ${posted(
     `kind = 'cold' AND a.owner = coalesce(t.chain, o.chain) || '/' || coalesce(t.to_address, o.to_address)
        AND p.currency_id = coalesce(t.currency_id, o.currency_id) AND p.units = -coalesce(t.units, o.units)`,
   )}`,
];

/** Take the identities of transfers. */
export const TRANSFERS: readonly string[] = [
  `SELECT format('transfer %s is final and not booked', t.reference) AS finding
   FROM (${booked(transferBatch(1))}) AS t
   WHERE t.fact IS NOT NULL
     AND NOT EXISTS (SELECT FROM entries e WHERE e.fact = t.fact AND e.reference = t.reference)`,
  `SELECT format('the network fee %s is not booked', i.reference) AS finding
   FROM (${paid(1)}) AS i
   WHERE i.fee > 0
     AND NOT EXISTS (SELECT FROM entries e WHERE e.fact = 'network-fee' AND e.reference = i.reference)`,
  `SELECT format('the assignment of %s is not booked', t.reference) AS finding
   FROM (${booked(transferBatch(1))}) AS t
   WHERE t.is_assigned
     AND NOT EXISTS (SELECT FROM entries e WHERE e.fact = 'assignment' AND e.reference = t.reference)`,
];

/** Take the identities of transfers. */
export const QR_PAYMENTS = `
  SELECT format('transfer %s/%s/%s and its payment to a QR code differ', t.chain, t.tx_id, t.position) AS finding
  FROM transfers t
    LEFT JOIN qr_codes q ON q.address_id = t.address_id
    LEFT JOIN qr_payments p ON p.chain = t.chain AND p.tx_id = t.tx_id AND p.position = t.position
    LEFT JOIN final_events f ON f.trade_no = p.trade_no AND f.status = 'PAID'
  WHERE t.state = 'final' AND ${transferBatch(1)}
    AND CASE WHEN q.qr_code_id IS NOT NULL AND t.disposition IN ('payment', 'late')
      THEN p.qr_code_id IS DISTINCT FROM q.qr_code_id OR f.event_id IS NULL ELSE p.trade_no IS NOT NULL END`;

/** For one chain, $1. In the order of its index, which ends with the newest blocks. */
export const ABOVE_FINAL = `
  SELECT format('transfer %s/%s/%s is final above the final block of its chain', chain, tx_id, position) AS finding
  FROM transfers
  WHERE chain = $1 AND state = 'final'
    AND block_number > coalesce((SELECT final_number FROM chain_cursors WHERE chain = $1), -1)
  ORDER BY chain DESC, block_number DESC`;

/** Take a list of orders. */
export const ORDERS: readonly string[] = [
  `SELECT format('order %s collected %s, its final transfers say %s', o.trade_no, o.collected,
     coalesce(sum(t.units), 0)) AS finding
   FROM orders o LEFT JOIN transfers t ON t.trade_no = o.trade_no AND t.state = 'final'
     AND t.disposition IN ('payment', 'late', 'extra') AND NOT ${isReversed('t')}
   WHERE ${orderBatch('o.trade_no')}
   GROUP BY o.trade_no, o.collected HAVING o.collected <> coalesce(sum(t.units), 0)`,
  `SELECT format('order %s is %s, but %s of %s came in time', o.trade_no, o.status, coalesce(sum(t.units), 0), o.due)
     AS finding
   FROM orders o LEFT JOIN order_acceptances a USING (trade_no)
     LEFT JOIN transfers t ON t.trade_no = o.trade_no
       AND t.disposition = ANY(CASE WHEN a.trade_no IS NULL THEN '{payment}' ELSE '{payment,late,extra}' END::text[])
   WHERE ${orderBatch('o.trade_no')}
   GROUP BY o.trade_no, o.status, o.due, o.tolerance_ppm
   HAVING CASE o.status
     WHEN 'PAID' THEN coalesce(sum(t.units), 0) < o.due - div(o.due * o.tolerance_ppm, 1000000)
     ELSE coalesce(sum(t.units) FILTER (WHERE NOT ${isReversed('t')}), 0)
       >= o.due - div(o.due * o.tolerance_ppm, 1000000) END`,
  `SELECT format('order %s is %s and has %s final events', o.trade_no, o.status, count(f.event_id)) AS finding
   FROM orders o LEFT JOIN final_events f ON f.trade_no = o.trade_no AND f.status = o.status
   WHERE ${orderBatch('o.trade_no')}
   GROUP BY o.trade_no, o.status
   HAVING count(f.event_id) <> CASE o.status WHEN 'TO-BE-PAID' THEN 0 ELSE 1 END`,
  `SELECT format('order %s has no key, or a key of %s', o.trade_no, coalesce(k.trade_no, 'none')) AS finding
   FROM orders o LEFT JOIN order_keys k USING (app_id, out_trade_no)
   WHERE ${orderBatch('o.trade_no')} AND k.trade_no IS DISTINCT FROM o.trade_no`,
];

/** Take a list of the subjects of final events: orders, payments to static addresses, payouts. */
export const FINAL_EVENTS: readonly string[] = [
  `SELECT format('the final event %s of %s is neither in the outbox nor in the archive', f.event_id, f.trade_no)
     AS finding
   FROM final_events f
     LEFT JOIN events e ON e.event_id = f.event_id LEFT JOIN archived_events old ON old.event_id = f.event_id
   WHERE f.trade_no = ANY($1::text[]) AND (coalesce(e.final, old.final) IS NOT TRUE
     OR coalesce(e.trade_no, old.trade_no) <> f.trade_no OR coalesce(e.status, old.status) <> f.status)`,
];

/**
 * $1: the accounts to check. $2 and $3: accounts and the sums of their postings up to the entry $4. All postings after
 * that entry are read, so it must be a recent one.
 */
export const ACCOUNTS = `
  WITH recent AS (SELECT account_id, sum(units) AS units FROM postings WHERE entry_id > $4 GROUP BY account_id)
  SELECT format('account %s of %s in currency %s says %s, its postings say %s', kind, owner, currency_id, balance,
    coalesce(audited.units, 0) + coalesce(recent.units, 0)) AS finding
  FROM accounts LEFT JOIN unnest($2::bigint[], $3::numeric[]) AS audited (account_id, units) USING (account_id)
    LEFT JOIN recent USING (account_id)
  WHERE account_id = ANY($1::bigint[]) AND balance <> coalesce(audited.units, 0) + coalesce(recent.units, 0)`;

/** $1: the accounts to check. */
export const ACCOUNTS_BELOW = `
  SELECT format('custody %s in currency %s is %s units below nothing', owner, currency_id, balance) AS finding
  FROM accounts WHERE account_id = ANY($1::bigint[]) AND kind = 'custody' AND balance > 0`;

export const SUMS_TO_ZERO = `
  SELECT format('currency %s: all accounts sum to %s, not to zero', currency_id, sum(balance)) AS finding
  FROM accounts GROUP BY currency_id HAVING sum(balance) <> 0`;

/** Frozen money equals what open payouts take. Reads all frozen accounts, and the open payouts by their index. */
export const FROZEN = `
  SELECT format('%s is frozen of %s in currency %s, and its open payouts take %s', coalesce(frozen.units, 0), owner,
    currency_id, coalesce(open.units, 0)) AS finding
  FROM (SELECT owner, currency_id, balance AS units FROM accounts WHERE kind = 'frozen') AS frozen
    FULL JOIN (
      SELECT app_id AS owner, currency_id, sum(reserved) AS units FROM payouts
      WHERE status IN ('PROGRESS', 'CONFIRMING-PROGRESS') GROUP BY app_id, currency_id
    ) AS open USING (owner, currency_id)
  WHERE coalesce(frozen.units, 0) <> coalesce(open.units, 0)`;
