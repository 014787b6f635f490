// Resets the second factors of a person who lost authenticator and recovery codes. The password stays; all sessions end.
import type { Tx } from '../../db/postgres/tx.ts';
import { forgetSecondFactors } from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../db/tables/access/dashboard-sessions.ts';
import { deletePasswordLinkOf } from '../../db/tables/access/mailed-links.ts';

/** The credentials are changed first, because flows that add a second factor lock them and then check their session. */
export async function resetAuthenticator(tx: Tx, personId: string): Promise<void> {
  await forgetSecondFactors(tx, personId);
  await deleteOtherSessions(tx, personId, null);
  // The password link was mailed while a second factor still protected the account.
  // mark: a-reset-ends-the-link
  await deletePasswordLinkOf(tx, personId);
}
