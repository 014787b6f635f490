// Quarantine: single items that are left alone for a while, since working on them broke a check or an assertion.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface PayableItem {
  readonly kind: 'payout' | 'outgoing';
  readonly id: string;
}

/** It is left alone until then; since when it is known stays. */
export async function insertQuarantine(
  tx: Tx,
  { kind, id }: PayableItem,
  { reason, nowMs, untilMs }: { readonly reason: string; readonly nowMs: number; readonly untilMs: number },
): Promise<void> {
  await tx.write(
    `INSERT INTO quarantines (kind, id, reason, since_ms, until_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (kind, id) DO UPDATE SET reason = excluded.reason, until_ms = excluded.until_ms`,
    [kind, id, reason, nowMs, untilMs],
  );
}

/** All that a round of paying would take, none of which is in quarantine. */
export async function readPayable(
  reader: Reader,
  { chain, nowMs, limit }: { readonly chain: string; readonly nowMs: number; readonly limit: number },
): Promise<readonly PayableItem[]> {
  return reader.read<PayableItem>(
    `SELECT kind, id FROM (
       (SELECT 'outgoing' AS kind, outgoing_id AS id FROM outgoing_transactions WHERE chain = $1 AND next_at_ms <= $2
         ORDER BY next_at_ms, outgoing_id LIMIT $3)
       UNION ALL (SELECT 'payout', trade_no FROM payouts WHERE chain = $1 AND status = 'PROGRESS' AND NOT claimed
         ORDER BY trade_no LIMIT $3)
     ) AS items
     WHERE NOT EXISTS (SELECT FROM quarantines q WHERE q.kind = items.kind AND q.id = items.id AND q.until_ms > $2)`,
    [chain, nowMs, limit],
  );
}

/** Why payouts are in quarantine now, by trade_no. */
export async function readQuarantinedPayouts(
  reader: Reader,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read<{ readonly tradeNo: string; readonly reason: string }>(
    `SELECT coalesce(o.subject_id, q.id) AS "tradeNo", q.reason
     FROM quarantines q LEFT JOIN outgoing_transactions o ON q.kind = 'outgoing' AND o.outgoing_id = q.id
     WHERE q.until_ms > $1 AND (q.kind = 'payout' OR o.subject_kind = 'payout')`,
    [nowMs],
  );
  return new Map(rows.map(({ tradeNo, reason }) => [tradeNo, reason]));
}
