// Sign-ups that wait for their link to be opened, by e-mail. One that was used has no row.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface SignUp {
  readonly email: string;
  readonly expiresAtMs: number;
}

interface Row {
  readonly email: string;
  readonly expires_at_ms: number;
}

const toSignUp = (row: Row | undefined): SignUp | null =>
  row === undefined ? null : { email: row.email, expiresAtMs: row.expires_at_ms };

/** Sign-ups are begun one after the other, so that they are counted exactly. */
export async function lockSignUps(tx: Tx): Promise<void> {
  await tx.write('LOCK TABLE sign_ups IN SHARE ROW EXCLUSIVE MODE', []);
}

/** An earlier link of this e-mail opens nothing any more. */
export async function putSignUp(
  tx: Tx,
  { email, tokenHash, expiresAtMs }: SignUp & { readonly tokenHash: Buffer },
): Promise<void> {
  await tx.write(
    `INSERT INTO sign_ups (email, token_hash, expires_at_ms) VALUES (lower($1), $2, $3)
     ON CONFLICT (email) DO UPDATE SET token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
    [email, tokenHash, expiresAtMs],
  );
}

/** Null where no link has this token. */
export async function findSignUp(reader: Reader, tokenHash: Buffer): Promise<SignUp | null> {
  const [row] = await reader.read<Row>('SELECT * FROM sign_ups WHERE token_hash = $1', [tokenHash]);
  return toSignUp(row);
}

/** Takes it, so that its link is used once; null as in `findSignUp`. */
export async function takeSignUp(tx: Tx, tokenHash: Buffer): Promise<SignUp | null> {
  const [row] = await tx.write<Row>('DELETE FROM sign_ups WHERE token_hash = $1 RETURNING *', [tokenHash]);
  return toSignUp(row);
}

/** How many were removed of those that ended before, some at a time. */
export async function deleteEndedSignUps(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const rows = await tx.write(
    `DELETE FROM sign_ups WHERE email IN (
       SELECT email FROM sign_ups WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [beforeMs, limit],
  );
  return rows.length;
}
