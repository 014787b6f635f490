// Quarantine: single items that are left alone for a while, since working on them broke a check or an assertion.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { DUE_IDS, readyIds } from './fair-share.ts';
import type { QuarantinedKind } from './not-quarantined.ts';

/** How long an item stays in quarantine. It is tried again afterwards, because an upgrade may have fixed the cause. */
export const QUARANTINE_MS = 60 * 60_000;

/** If this many items in a row break, with no good one between them, the bug is in the worker and in no single item. */
export const MOST_BROKEN_IN_A_ROW = 3;

export interface PayableItem {
  readonly kind: 'payout' | 'outgoing';
  readonly id: string;
}

/** An item by its id. A `holding` is named by chain, number of the address and currency, as `holdingItem` writes it. */
export interface QuarantinedItem {
  readonly kind: QuarantinedKind;
  readonly id: string;
}

/** Puts an item into quarantine until `untilMs`. The time since which it is known stays. */
export async function insertQuarantine(
  tx: Tx,
  { kind, id }: QuarantinedItem,
  { reason, nowMs, untilMs }: { readonly reason: string; readonly nowMs: number; readonly untilMs: number },
): Promise<void> {
  await tx.write(
    `INSERT INTO quarantines (kind, id, reason, since_ms, until_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (kind, id) DO UPDATE SET reason = excluded.reason, until_ms = excluded.until_ms`,
    [kind, id, reason, nowMs, untilMs],
  );
}

/** All items that a round of paying takes, without those in quarantine. */
export async function readPayable(
  reader: Reader,
  {
    chain: { name, family },
    nowMs,
    limit,
  }: {
    readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
    readonly nowMs: number;
    readonly limit: number;
  },
): Promise<readonly PayableItem[]> {
  return reader.read<PayableItem>(PAYABLE, [name, nowMs, limit, null, family]);
}

const PAYABLE = `
  SELECT * FROM (WITH ${DUE_IDS} SELECT 'outgoing' AS kind, outgoing_id AS id FROM due_ids) AS due
  UNION ALL
  SELECT * FROM (WITH ${readyIds('')} SELECT 'payout' AS kind, trade_no AS id FROM ready_ids) AS ready`;

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
