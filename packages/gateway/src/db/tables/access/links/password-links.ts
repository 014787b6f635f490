// Links to a new password that wait to be opened, by e-mail. One that was used has no row.
import type { Reader, Tx } from '../../../postgres/tx.ts';

export interface PasswordLink {
  /** In lower case. */
  readonly email: string;
  readonly expiresAtMs: number;
}

/** Links are begun one after the other, so that they are counted exactly. */
export async function lockPasswordLinks(tx: Tx): Promise<void> {
  await tx.write('LOCK TABLE password_links IN SHARE ROW EXCLUSIVE MODE', []);
}

/** An earlier link of this e-mail opens nothing any more. */
export async function putPasswordLink(
  tx: Tx,
  { email, tokenHash, expiresAtMs }: PasswordLink & { readonly tokenHash: Buffer },
): Promise<void> {
  await tx.write(
    `INSERT INTO password_links (email, token_hash, expires_at_ms) VALUES (lower($1), $2, $3)
     ON CONFLICT (email) DO UPDATE SET token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
    [email, tokenHash, expiresAtMs],
  );
}

/** Null where no link has this token. */
export async function findPasswordLink(reader: Reader, tokenHash: Buffer): Promise<PasswordLink | null> {
  const [row] = await reader.read<{ readonly email: string; readonly expires_at_ms: number }>(
    'SELECT email, expires_at_ms FROM password_links WHERE token_hash = $1',
    [tokenHash],
  );
  return row === undefined ? null : { email: row.email, expiresAtMs: row.expires_at_ms };
}

/** Takes the link, so that it is used once: whether it was still there. */
export async function takePasswordLink(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.write('DELETE FROM password_links WHERE token_hash = $1 RETURNING 1', [tokenHash]);
  return rows.length > 0;
}

/** Ends the link of a person. What does so locks the person's credentials before, as opening the link does. */
export async function deletePasswordLinkOf(tx: Tx, personId: string): Promise<void> {
  await tx.write('DELETE FROM password_links WHERE email = (SELECT email FROM people WHERE person_id = $1)', [
    personId,
  ]);
}

/** How many were removed of those that ended before, some at a time. */
export async function deleteEndedPasswordLinks(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const rows = await tx.write(
    `DELETE FROM password_links WHERE email IN (
       SELECT email FROM password_links WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [beforeMs, limit],
  );
  return rows.length;
}
