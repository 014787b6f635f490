// Variants of outgoing transactions on their way: prepared with their intent, signed, sent.
import { intentRecord } from '@ducat/core/signing/intent-record';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface NewVariant {
  readonly outgoingId: string;
  readonly ordinal: number;
  readonly intent: TransferIntent;
  readonly nonce: number | null;
  readonly expiresAtMs: number | null;
  readonly reference: number | null;
}

/**
 * Writes variants that are to be signed next, and moves their outgoing transactions from the state `from` to the state
 * `to`. Transactions that are no longer in `from` are left out. A noted trouble stays until the transaction is signed,
 * because the signer may refuse it again. Returns how many variants were written.
 */
export async function insertVariants(
  tx: Tx,
  chain: string,
  variants: readonly NewVariant[],
  { from, to, nowMs }: { readonly from: string; readonly to: string; readonly nowMs: number },
): Promise<number> {
  if (variants.length === 0) return 0;
  const rows = await tx.write<{ written: number }>(INSERT, [
    chain,
    variants.map(({ outgoingId }) => outgoingId),
    variants.map(({ ordinal }) => ordinal),
    variants.map(({ intent }) => JSON.stringify(intentRecord(intent))),
    variants.map(({ nonce }) => nonce),
    variants.map(({ expiresAtMs }) => expiresAtMs),
    variants.map(({ reference }) => reference),
    from,
    to,
    nowMs,
  ]);
  return rows[0]?.written ?? 0;
}

const INSERT = `
  WITH wanted AS (
    SELECT * FROM unnest($2::text[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
      AS v (outgoing_id, ordinal, intent, nonce, expires_at_ms, reference)
  ), moved AS (
    UPDATE outgoing_transactions o
    SET state = $9, nonce = wanted.nonce, next_at_ms = $10
    FROM wanted WHERE o.outgoing_id = wanted.outgoing_id AND o.state = $8 AND o.chain = $1
    RETURNING o.outgoing_id
  ), written AS (
    INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, expires_at_ms, reference, prepared_at_ms)
    SELECT outgoing_id, ordinal, $1, intent, expires_at_ms, reference, $10 FROM wanted JOIN moved USING (outgoing_id)
    RETURNING 1
  ) SELECT count(*)::integer AS written FROM written`;

export interface SignedVariant {
  readonly outgoingId: string;
  readonly ordinal: number;
  readonly txId: string;
  readonly bytes: string;
  readonly logSequence: number;
}

/** Stores signed variants before they are broadcast. A variant that was stored before stays as it is. */
export async function storeSigned(tx: Tx, signed: readonly SignedVariant[], nowMs: number): Promise<void> {
  await tx.write(
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::bigint[])
         AS s (outgoing_id, ordinal, tx_id, bytes, log_sequence)
     ), stored AS (
       UPDATE outgoing_variants v SET tx_id = given.tx_id, bytes = given.bytes, log_sequence = given.log_sequence,
         signed_at_ms = $6
       FROM given WHERE v.outgoing_id = given.outgoing_id AND v.ordinal = given.ordinal AND v.tx_id IS NULL
       RETURNING v.outgoing_id
     )
     UPDATE outgoing_transactions o SET state = 'signed', trouble = NULL, trouble_since_ms = NULL, failures = 0,
       next_at_ms = $6
     FROM stored WHERE o.outgoing_id = stored.outgoing_id AND o.state IN ('prepared', 'signed')`,
    [
      signed.map(({ outgoingId }) => outgoingId),
      signed.map(({ ordinal }) => ordinal),
      signed.map(({ txId }) => txId),
      signed.map(({ bytes }) => bytes),
      signed.map(({ logSequence }) => logSequence),
      nowMs,
    ],
  );
}

export interface SentVariant {
  readonly outgoingId: string;
  readonly ordinal: number;
  /** The answer to the broadcast, as one word and the words of nodes. */
  readonly answer: string;
}

/** Counts one broadcast of each variant, and keeps the answer. */
export async function countSends(tx: Tx, sent: readonly SentVariant[], nowMs: number): Promise<void> {
  await tx.write(
    `UPDATE outgoing_variants v SET sends = v.sends + 1, last_sent_ms = $4, last_answer = s.answer
     FROM unnest($1::text[], $2::integer[], $3::text[]) AS s (outgoing_id, ordinal, answer)
     WHERE v.outgoing_id = s.outgoing_id AND v.ordinal = s.ordinal`,
    [
      sent.map(({ outgoingId }) => outgoingId),
      sent.map(({ ordinal }) => ordinal),
      sent.map(({ answer }) => answer),
      nowMs,
    ],
  );
}

/** The signed bytes of one transaction, as hex without 0x; null where none of the chain has this id. */
export async function readSignedBytes(reader: Reader, chain: string, txId: string): Promise<string | null> {
  const [row] = await reader.read<{ bytes: string }>(
    'SELECT bytes FROM outgoing_variants WHERE chain = $1 AND tx_id = $2',
    [chain, txId],
  );
  return row?.bytes ?? null;
}

/** The highest sequence of the signer's log that came with an answer; 0 before the first. */
export async function readLogSequence(reader: Reader): Promise<number> {
  const [row] = await reader.read<{ highest: number }>(
    `SELECT log_sequence AS highest FROM outgoing_variants WHERE log_sequence IS NOT NULL
     ORDER BY log_sequence DESC LIMIT 1`,
    [],
  );
  return row?.highest ?? 0;
}
