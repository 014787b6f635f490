// Links in mails that wait to be opened, by e-mail: of sign-ups, and to a new password. A used one has no row.
import type { Reader, Tx } from '../../postgres/tx.ts';

export type LinkTable = 'sign_ups' | 'password_links';

export interface MailedLink {
  /** In lower case. */
  readonly email: string;
  readonly expiresAtMs: number;
}

interface Row {
  readonly email: string;
  readonly expires_at_ms: number;
}

const toLink = (row: Row | undefined): MailedLink | null =>
  row === undefined ? null : { email: row.email, expiresAtMs: row.expires_at_ms };

/** Makes links of a kind one after the other, so that they are counted exactly. */
export async function lockLinks(tx: Tx, table: LinkTable): Promise<void> {
  await tx.write(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`, []);
}

/** Stores the link, which replaces an earlier one of this kind to the same e-mail. */
export async function putLink(
  tx: Tx,
  table: LinkTable,
  { email, tokenHash, expiresAtMs }: MailedLink & { readonly tokenHash: Buffer },
): Promise<void> {
  await tx.write(
    `INSERT INTO ${table} (email, token_hash, expires_at_ms) VALUES (lower($1), $2, $3)
     ON CONFLICT (email) DO UPDATE SET token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
    [email, tokenHash, expiresAtMs],
  );
}

/** Null where no link has this token. */
export async function findLink(
  reader: Reader,
  table: LinkTable,
  tokenHash: Buffer,
): Promise<MailedLink | null> {
  const [row] = await reader.read<Row>(`SELECT email, expires_at_ms FROM ${table} WHERE token_hash = $1`, [
    tokenHash,
  ]);
  return toLink(row);
}

/** Takes the link, so that it is used once; null as in `findLink`. */
export async function takeLink(tx: Tx, table: LinkTable, tokenHash: Buffer): Promise<MailedLink | null> {
  const [row] = await tx.write<Row>(
    `DELETE FROM ${table} WHERE token_hash = $1 RETURNING email, expires_at_ms`,
    [tokenHash],
  );
  return toLink(row);
}

/** Deletes the password link of a person. The caller has locked the person's credentials, as opening the link does. */
export async function deletePasswordLinkOf(tx: Tx, personId: string): Promise<void> {
  await tx.write('DELETE FROM password_links WHERE email = (SELECT email FROM people WHERE person_id = $1)', [
    personId,
  ]);
}

/** Deletes at most `limit` links that ended before a time; returns how many. */
export async function deleteEndedLinks(
  tx: Tx,
  table: LinkTable,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const rows = await tx.write(
    `DELETE FROM ${table} WHERE email IN (
       SELECT email FROM ${table} WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [beforeMs, limit],
  );
  return rows.length;
}
