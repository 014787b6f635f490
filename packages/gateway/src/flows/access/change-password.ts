// Replaces a person's password; every session but the one that asked is over, and so is a link to a new one.
import type { Tx } from '../../db/postgres/tx.ts';
import { updatePassword } from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../db/tables/access/dashboard-sessions.ts';
import { deletePasswordLinkOf } from '../../db/tables/access/mailed-links.ts';
import { deleteAttempts } from '../../db/tables/access/sign-in-attempts.ts';

export interface ChangePassword {
  readonly personId: string;
  /** The session that asked; null where none did, and all end. */
  readonly sessionId: string | null;
  readonly emailHash: Buffer;
  readonly passwordHash: string;
}

export async function changePassword(
  tx: Tx,
  { personId, sessionId, emailHash, passwordHash }: ChangePassword,
): Promise<void> {
  await updatePassword(tx, personId, passwordHash);
  await deleteAttempts(tx, emailHash);
  await deleteOtherSessions(tx, personId, sessionId);
  // mark: a-changed-password-ends-the-link
  await deletePasswordLinkOf(tx, personId);
}
