// A person who has neither authenticator nor recovery codes begins anew: with the password, everywhere signed out.
import type { Tx } from '../../db/postgres/tx.ts';
import { forgetSecondFactors } from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../db/tables/access/dashboard-sessions.ts';
import { deletePasswordLinkOf } from '../../db/tables/access/mailed-links.ts';

/** The credentials come first: what adds a second factor locks them, and then looks for its session. */
export async function resetAuthenticator(tx: Tx, personId: string): Promise<void> {
  await forgetSecondFactors(tx, personId);
  await deleteOtherSessions(tx, personId, null);
  // It was mailed while a second factor stood behind it.
  // mark: a-reset-ends-the-link
  await deletePasswordLinkOf(tx, personId);
}
