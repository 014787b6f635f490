// Sets a new password by a password link. The second factor stays, and the next sign-in asks for it as always.
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

/** Returns the person with the new password; null where the link is not valid. Every session of the person ends. */
export async function acceptPasswordLink(
  tx: Tx,
  { tokenHash, emailHash, passwordHash, nowMs }: AcceptPasswordLink,
): Promise<Person | null> {
  const link = await findLink(tx, 'password_links', tokenHash);
  if (link === null || link.expiresAtMs <= nowMs) return null;
  const person = await findPersonByEmail(tx, link.email);
  if (person === null) return null;
  const { personId } = person;
  // Locked before the link, in the same order as by flows that end the link or add a second factor.
  await lockCredentials(tx, personId);
  // mark: a-password-link-works-once
  if ((await takeLink(tx, 'password_links', tokenHash)) === null) return null;
  // mark: who-was-removed-has-no-password
  if (!(await hasPassword(tx, link.email))) return null;
  await changePassword(tx, { personId, sessionId: null, emailHash, passwordHash });
  return person;
}
