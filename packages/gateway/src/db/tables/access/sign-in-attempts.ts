// Counts of wrong passwords, by the hash of the e-mail.
import { noAttempts, type SignInAttempts } from '@ducat/core/access/sign-in-attempts';
import type { Tx } from '../../postgres/tx.ts';

/** Locked until the transaction ends, so that parallel guesses are counted one after the other. */
export async function lockAttempts(tx: Tx, emailHash: Buffer, nowMs: number): Promise<SignInAttempts> {
  await tx.write(
    `INSERT INTO sign_in_attempts (email_hash, failures, locked_until_ms, at_ms) VALUES ($1, 0, 0, $2)
     ON CONFLICT DO NOTHING`,
    [emailHash, nowMs],
  );
  const [row] = await tx.read<{ failures: number; locked_until_ms: number }>(
    'SELECT failures, locked_until_ms FROM sign_in_attempts WHERE email_hash = $1 FOR UPDATE',
    [emailHash],
  );
  return row === undefined ? noAttempts : { failures: row.failures, lockedUntilMs: row.locked_until_ms };
}

export async function writeAttempts(
  tx: Tx,
  emailHash: Buffer,
  { failures, lockedUntilMs }: SignInAttempts,
  nowMs: number,
): Promise<void> {
  await tx.write(
    'UPDATE sign_in_attempts SET failures = $2, locked_until_ms = $3, at_ms = $4 WHERE email_hash = $1',
    [emailHash, failures, lockedUntilMs, nowMs],
  );
}

/** Forgets an account's wrong passwords. */
export async function deleteAttempts(tx: Tx, emailHash: Buffer): Promise<void> {
  await tx.write('DELETE FROM sign_in_attempts WHERE email_hash = $1', [emailHash]);
}

/** Deletes some of the counts that have not risen since `beforeMs`. */
export async function deleteOldAttempts(tx: Tx, beforeMs: number): Promise<void> {
  await tx.write(
    `DELETE FROM sign_in_attempts WHERE email_hash IN (
       SELECT email_hash FROM sign_in_attempts WHERE at_ms < $1 ORDER BY at_ms LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    [beforeMs],
  );
}
