// Replaces a person's password; every session but the one that asked is over.
import type { Tx } from '../../db/postgres/tx.ts';
import { updatePassword } from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../db/tables/access/dashboard-sessions.ts';
import { deleteAttempts } from '../../db/tables/access/sign-in-attempts.ts';

export interface ChangePassword {
  readonly personId: string;
  readonly sessionId: string;
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
}
