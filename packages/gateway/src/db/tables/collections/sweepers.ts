// Sweeps and sweepers: each is an outgoing transaction, and has no other row.
import type { SweeperRequest } from '@ducat/core/collection/sweeper-request';
import type { Reader, Tx } from '../../postgres/tx.ts';

/** The newest request to deploy this wallet's sweeper; null if there was none. */
export async function readSweeperRequest(
  reader: Reader,
  chain: string,
  wallet: string,
): Promise<SweeperRequest | null> {
  const [row] = await reader.read<SweeperRequest>(
    `SELECT ended_at_ms AS "endedAtMs" FROM outgoing_transactions
     WHERE chain = $1 AND to_address = $2 AND action = 'deploy' ORDER BY created_at_ms DESC LIMIT 1`,
    [chain, wallet],
  );
  return row ?? null;
}

/** Whether the newest sweep of the chain was cancelled after this time, or given up after it was signed. */
export async function wasSweepTakenBack(reader: Reader, chain: string, sinceMs: number): Promise<boolean> {
  const [row] = await reader.read<{ was_taken_back: boolean }>(
    `SELECT coalesce(ended_at_ms > $2, true) AND (state = 'cancelled' OR EXISTS (
       SELECT FROM outgoing_variants v WHERE v.outgoing_id = o.outgoing_id
         AND v.intent::jsonb #>> '{sweeping,type}' = 'nothing')) AS was_taken_back
     FROM outgoing_transactions o WHERE chain = $1 AND action = 'sweep' ORDER BY created_at_ms DESC LIMIT 1`,
    [chain, sinceMs],
  );
  return row?.was_taken_back ?? false;
}

/** SQL: requests to deploy sweepers that have waited in trouble since $2 or longer. */
const STUCK = `chain = $1 AND action = 'deploy' AND state = 'waiting' AND trouble_since_ms <= $2`;

export async function hasStuckSweepers(
  reader: Reader,
  chain: string,
  troubledBeforeMs: number,
): Promise<boolean> {
  const sql = `SELECT FROM outgoing_transactions WHERE ${STUCK} LIMIT 1`;
  return (await reader.read(sql, [chain, troubledBeforeMs])).length > 0;
}

/** Cancels these requests. Nothing of them is signed. */
export async function cancelStuckSweepers(
  tx: Tx,
  chain: string,
  { troubledBeforeMs, nowMs }: { readonly troubledBeforeMs: number; readonly nowMs: number },
): Promise<void> {
  await tx.write(
    `UPDATE outgoing_transactions SET state = 'cancelled', next_at_ms = NULL, ended_at_ms = $3 WHERE ${STUCK}`,
    [chain, troubledBeforeMs, nowMs],
  );
}
