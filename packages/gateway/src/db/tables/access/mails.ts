// Mails to send. A mail that has ended keeps its row without its text for a while, so that mails can be counted.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface NewMail {
  readonly mailId: string;
  readonly recipient: string;
  readonly kind: string;
  /** The merchant that an invitation or a notice is about; null for other mails. */
  readonly merchantId: string | null;
  /** Null for a mail that is not sent: it has ended from the start, and is counted all the same. */
  readonly sealed: Buffer | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export async function insertMail(tx: Tx, mail: NewMail): Promise<void> {
  const { mailId, recipient, kind, merchantId, sealed, createdAtMs, expiresAtMs } = mail;
  await tx.write(
    `INSERT INTO mails (mail_id, recipient, kind, merchant_id, sealed, created_at_ms, expires_at_ms, due_at_ms, outcome)
     VALUES ($1, lower($2), $3, $4, $5, $6, $7, CASE WHEN $5::bytea IS NOT NULL THEN $6::bigint END,
       CASE WHEN $5::bytea IS NULL THEN 'expired' END)`,
    [mailId, recipient, kind, merchantId, sealed, createdAtMs, expiresAtMs],
  );
}

/** Counts mails of a kind to an address since then, sent or not. With a merchant only those about it, with null all. */
export async function countMailsTo(
  reader: Reader,
  { recipient, kind, merchantId }: Pick<NewMail, 'recipient' | 'kind' | 'merchantId'>,
  sinceMs: number,
): Promise<number> {
  const [row] = await reader.read<{ count: number }>(
    `SELECT count(*) AS count FROM mails
     WHERE recipient = lower($1) AND kind = $2 AND created_at_ms > $3 AND ($4::text IS NULL OR merchant_id = $4)`,
    [recipient, kind, sinceMs, merchantId],
  );
  return row?.count ?? 0;
}

/** Counts mails of a kind to all addresses since then, sent or not, but no further than `most`. */
export async function countMailsOf(
  reader: Reader,
  kind: string,
  sinceMs: number,
  most: number,
): Promise<number> {
  const [row] = await reader.read<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT FROM mails WHERE kind = $1 AND created_at_ms > $2 LIMIT $3) AS counted`,
    [kind, sinceMs, most],
  );
  return row?.count ?? 0;
}

export async function countInvitationsOf(
  reader: Reader,
  merchantId: string,
  sinceMs: number,
): Promise<number> {
  const [row] = await reader.read<{ count: number }>(
    `SELECT count(*) AS count FROM mails
     WHERE merchant_id = $1 AND kind = 'invitation' AND created_at_ms > $2`,
    [merchantId, sinceMs],
  );
  return row?.count ?? 0;
}

export interface ClaimedMail {
  readonly mailId: string;
  readonly recipient: string;
  readonly kind: string;
  readonly sealed: Buffer;
  readonly expiresAtMs: number;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

/** Claims due mails, the longest due first. The attempt counts from here on. After the lease another attempt is made. */
export async function claimMails(
  tx: Tx,
  { nowMs, leaseMs, limit }: { readonly nowMs: number; readonly leaseMs: number; readonly limit: number },
): Promise<readonly ClaimedMail[]> {
  const rows = await tx.write<{
    mail_id: string;
    recipient: string;
    kind: string;
    sealed: Buffer;
    expires_at_ms: number;
    attempts: number;
  }>(
    `UPDATE mails SET attempts = attempts + 1, due_at_ms = $2 WHERE mail_id IN (
       SELECT mail_id FROM mails WHERE due_at_ms <= $1 ORDER BY due_at_ms LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING mail_id, recipient, kind, sealed, expires_at_ms, attempts`,
    [nowMs, nowMs + leaseMs, limit],
  );
  return rows.map((row) => ({
    mailId: row.mail_id,
    recipient: row.recipient,
    kind: row.kind,
    sealed: row.sealed,
    expiresAtMs: row.expires_at_ms,
    attempt: row.attempts,
  }));
}

export type MailOutcome = 'sent' | 'refused' | 'expired';

/** Ends the mail and deletes its text. A mail that another claim took over meanwhile stays as it is. */
export async function endMail(
  tx: Tx,
  { mailId, attempt }: Pick<ClaimedMail, 'mailId' | 'attempt'>,
  outcome: MailOutcome,
): Promise<void> {
  await tx.write(
    `UPDATE mails SET outcome = $3, due_at_ms = NULL, sealed = NULL
     WHERE mail_id = $1 AND attempts = $2 AND outcome IS NULL`,
    [mailId, attempt, outcome],
  );
}

export async function putOffMail(
  tx: Tx,
  { mailId, attempt }: Pick<ClaimedMail, 'mailId' | 'attempt'>,
  dueAtMs: number,
): Promise<void> {
  await tx.write('UPDATE mails SET due_at_ms = $3 WHERE mail_id = $1 AND attempts = $2 AND outcome IS NULL', [
    mailId,
    attempt,
    dueAtMs,
  ]);
}

/** Deletes some of the mails that ended and are no longer counted. */
export async function deleteOldMails(tx: Tx, beforeMs: number): Promise<void> {
  await tx.write(
    `DELETE FROM mails WHERE mail_id IN (
       SELECT mail_id FROM mails WHERE created_at_ms < $1 AND outcome IS NOT NULL
       ORDER BY created_at_ms LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    [beforeMs],
  );
}
