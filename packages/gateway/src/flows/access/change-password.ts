// Replaces a person's password. Ends every session but the one that asked, and the person's password link.
import type { Tx } from '../../db/postgres/tx.ts';
import { updatePassword } from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../db/tables/access/dashboard-sessions.ts';
import { deletePasswordLinkOf } from '../../db/tables/access/mailed-links.ts';
import { deleteAttempts } from '../../db/tables/access/sign-in-attempts.ts';

export interface ChangePassword {
  readonly personId: string;
  /** The session that asked; null where no session asked, and all sessions end. */
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
