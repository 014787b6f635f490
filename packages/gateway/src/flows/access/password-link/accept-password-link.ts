// The link in a mail gives its person a new password. The second factor stays, and is asked for as by every sign-in.
import type { Tx } from '../../../db/postgres/tx.ts';
import { hasPassword, lockCredentials } from '../../../db/tables/access/credentials.ts';
import { findLink, takeLink } from '../../../db/tables/access/mailed-links.ts';
import { findPersonByEmail, type Person } from '../../../db/tables/access/people.ts';
import { changePassword } from '../change-password.ts';

export interface AcceptPasswordLink {
  readonly tokenHash: Buffer;
  readonly emailHash: Buffer;
  readonly passwordHash: string;
  readonly nowMs: number;
}

/** Whose password it is; null where the link opens nothing. Every session of the person ends. */
export async function acceptPasswordLink(
  tx: Tx,
  { tokenHash, emailHash, passwordHash, nowMs }: AcceptPasswordLink,
): Promise<Person | null> {
  const link = await findLink(tx, 'password_links', tokenHash);
  if (link === null || link.expiresAtMs <= nowMs) return null;
  const person = await findPersonByEmail(tx, link.email);
  if (person === null) return null;
  const { personId } = person;
  // Before the link: what ends it locks these first, and so does what adds a second factor.
  await lockCredentials(tx, personId);
  // mark: a-password-link-works-once
  if ((await takeLink(tx, 'password_links', tokenHash)) === null) return null;
  // mark: who-was-removed-has-no-password
  if (!(await hasPassword(tx, link.email))) return null;
  await changePassword(tx, { personId, sessionId: null, emailHash, passwordHash });
  return person;
}
