// When outgoing transactions are checked again, and what stands in their way.
import type { Tx } from '../../postgres/tx.ts';
import { heldNowhere } from './held-nowhere.ts';

export interface NextLook {
  readonly outgoingId: string;
  /** Since when the transaction was due when it was read. */
  readonly dueAtMs: number;
  readonly nextAtMs: number;
  /** Null where nothing stands in the way. */
  readonly trouble: string | null;
  /** True where nothing was tried, so that nothing has failed or succeeded. */
  readonly isUntried?: boolean;
}

/** Sets when an outgoing transaction is checked again, and why. Its state does not change. */
export const PUT_OFF = `
  UPDATE outgoing_transactions o SET next_at_ms = n.next_at_ms, trouble = n.trouble,
    trouble_since_ms = CASE WHEN n.trouble IS NOT NULL THEN coalesce(o.trouble_since_ms, $4) END,
    failures = CASE WHEN n.untried THEN o.failures WHEN n.trouble IS NULL THEN 0 ELSE least(o.failures, 1000) + 1 END
  FROM unnest($1::text[], $2::bigint[], $3::text[], $5::bigint[], $6::boolean[])
    AS n (outgoing_id, next_at_ms, trouble, due_at_ms, untried)
  WHERE o.outgoing_id = n.outgoing_id AND o.next_at_ms = n.due_at_ms`;

/**
 * Puts off open transactions. With a trouble the failures rise by one, without one they are reset, and they stay where
 * nothing was tried. A transaction whose due time has changed since it was read stays as it is: a reorg took it out of its
 * block, or a person approved it anew.
 */
export async function putOff(tx: Tx, looks: readonly NextLook[], nowMs: number): Promise<void> {
  if (looks.length === 0) return;
  await tx.write(PUT_OFF, [
    looks.map(({ outgoingId }) => outgoingId),
    looks.map(({ nextAtMs }) => nextAtMs),
    looks.map(({ trouble }) => trouble),
    nowMs,
    looks.map(({ dueAtMs }) => dueAtMs),
    looks.map(({ isUntried = false }) => isUntried),
  ]);
}

/**
 * Gives up a prepared variant that was certainly never signed. The transaction waits again, and its nonce is free for
 * another one. False if the variant was signed meanwhile.
 */
export async function unprepare(
  tx: Tx,
  { outgoingId, nextAtMs, trouble }: NextLook,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.write(
    `WITH gone AS (
       DELETE FROM outgoing_variants v USING outgoing_transactions o
       WHERE o.outgoing_id = $1 AND v.outgoing_id = $1 AND o.state = 'prepared' AND v.tx_id IS NULL
       RETURNING v.outgoing_id
     )
     UPDATE outgoing_transactions o SET state = 'waiting', nonce = NULL, next_at_ms = $2, trouble = $3,
       trouble_since_ms = coalesce(o.trouble_since_ms, $4), failures = least(o.failures, 1000) + 1
     FROM gone WHERE o.outgoing_id = gone.outgoing_id RETURNING o.outgoing_id`,
    [outgoingId, nextAtMs, trouble, nowMs],
  );
  return rows.length > 0;
}

/**
 * Makes the prepared transactions wait again that have higher nonces of the same sender than a refused one. This payer asked
 * the signer for none of them, because it asks in the order of nonces. An older build asked in any order: if the signer had
 * signed one and the answer was lost, it refuses that one on another nonce.
 */
export async function unprepareBehind(tx: Tx, refusedId: string, nowMs: number): Promise<void> {
  await tx.write(
    `WITH gone AS (
       DELETE FROM outgoing_variants v USING outgoing_transactions refused JOIN outgoing_transactions o USING (sender_id)
       WHERE refused.outgoing_id = $1 AND refused.state = 'prepared' AND o.nonce > refused.nonce
         AND o.next_at_ms IS NOT NULL AND o.state = 'prepared' AND v.outgoing_id = o.outgoing_id AND v.tx_id IS NULL
       RETURNING v.outgoing_id
     )
     UPDATE outgoing_transactions o SET state = 'waiting', nonce = NULL, next_at_ms = least(o.next_at_ms, $2)
     FROM gone WHERE o.outgoing_id = gone.outgoing_id`,
    [refusedId, nowMs],
  );
}

/**
 * Makes due the prepared transactions that have higher nonces of the same sender than these. They wait for nothing else, and
 * their own pauses would add up.
 */
export async function wakeBehind(tx: Tx, signedIds: readonly string[], nowMs: number): Promise<void> {
  await tx.write(
    `UPDATE outgoing_transactions o SET next_at_ms = $2 FROM outgoing_transactions signed
     WHERE signed.outgoing_id = ANY($1::text[]) AND o.sender_id = signed.sender_id AND o.nonce > signed.nonce
       AND o.state = 'prepared' AND o.next_at_ms > $2`,
    [signedIds, nowMs],
  );
}

/** Drops a replacement that was never signed. The variants before it stay as they are. */
export async function dropUnsigned(
  tx: Tx,
  { outgoingId, nextAtMs, trouble }: NextLook,
  nowMs: number,
): Promise<void> {
  await tx.write(
    `WITH gone AS (
       DELETE FROM outgoing_variants v USING outgoing_transactions o
       WHERE o.outgoing_id = $1 AND v.outgoing_id = $1 AND o.state = 'signed' AND v.tx_id IS NULL RETURNING 1
     )
     UPDATE outgoing_transactions o SET next_at_ms = $2, trouble = $3,
       trouble_since_ms = coalesce(o.trouble_since_ms, $4), failures = least(o.failures, 1000) + 1
     FROM gone WHERE o.outgoing_id = $1 AND o.state = 'signed'`,
    [outgoingId, nextAtMs, trouble, nowMs],
  );
}

/** A signed transaction that may have expired for good. */
export interface Expiring {
  readonly outgoingId: string;
  /** Expiry of the variant that expires last. */
  readonly expiresAtMs: number;
  /** The lowest block that a variant refers to. */
  readonly reference: number;
}

/** The ones of these transactions of which no block of the books holds a variant, locked. */
export async function lockExpiring(
  tx: Tx,
  chain: string,
  outgoingIds: readonly string[],
): Promise<readonly Expiring[]> {
  return tx.read<Expiring>(
    `SELECT o.outgoing_id AS "outgoingId", v.expires AS "expiresAtMs", v.reference
     FROM outgoing_transactions o, LATERAL (
       SELECT max(expires_at_ms) AS expires, min(reference) AS reference,
         bool_and(expires_at_ms IS NOT NULL AND tx_id IS NOT NULL) AS whole
       FROM outgoing_variants WHERE outgoing_id = o.outgoing_id) AS v
     WHERE o.chain = $1 AND o.outgoing_id = ANY($2::text[]) AND o.state = 'signed' AND v.whole
       AND ${heldNowhere('o.outgoing_id')}
     FOR UPDATE OF o`,
    [chain, outgoingIds],
  );
}

/** Makes these transactions wait again, to be built anew, because their signed variants can never be included any more. */
export async function rebuild(tx: Tx, outgoingIds: readonly string[], nowMs: number): Promise<void> {
  if (outgoingIds.length === 0) return;
  await tx.write(
    `UPDATE outgoing_transactions SET state = 'waiting', nonce = NULL, next_at_ms = $2
     WHERE outgoing_id = ANY($1::text[]) AND state = 'signed'`,
    [outgoingIds, nowMs],
  );
}

/**
 * Undoes `rebuild` on a chain, for when the final block that proved the expiry is no longer in the books. Transactions
 * that wait to be built anew are signed again, and their next variants, which were never signed, are dropped.
 */
export async function countAsSigned(tx: Tx, chain: string, nowMs: number): Promise<void> {
  const wasSigned = `o.chain = $1 AND EXISTS (
    SELECT FROM outgoing_variants s WHERE s.outgoing_id = o.outgoing_id AND s.tx_id IS NOT NULL)`;
  await tx.write(
    `DELETE FROM outgoing_variants v USING outgoing_transactions o
     WHERE v.outgoing_id = o.outgoing_id AND v.tx_id IS NULL AND o.state = 'prepared' AND ${wasSigned}`,
    [chain],
  );
  await tx.write(
    `UPDATE outgoing_transactions o SET state = 'signed', next_at_ms = $2, trouble = NULL, trouble_since_ms = NULL,
       failures = 0
     WHERE o.state IN ('waiting', 'prepared') AND ${wasSigned}`,
    [chain, nowMs],
  );
}
