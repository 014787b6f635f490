// Removes a passkey that is not the last second factor, and ends the sessions that it may have opened.
import { mayRemovePasskey } from '@ducat/core/access/second-factors';
import type { Tx } from '../../../db/postgres/tx.ts';
import { lockCredentials } from '../../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../../db/tables/access/dashboard-sessions.ts';
import { deletePasskey, listPasskeys } from '../../../db/tables/access/passkeys.ts';

export interface RemovePasskey {
  readonly personId: string;
  readonly passkeyId: string;
  /** The session that asked, which goes on. */
  readonly sessionId: string;
}

export type PasskeyRemoved =
  | { readonly outcome: 'removed'; readonly name: string }
  | { readonly outcome: 'unknown' | 'last' };

/** Locks the person's credentials, so that two parallel removals cannot remove the last two factors. */
export async function removePasskey(
  tx: Tx,
  { personId, passkeyId, sessionId }: RemovePasskey,
): Promise<PasskeyRemoved> {
  const credentials = await lockCredentials(tx, personId);
  const passkeys = await listPasskeys(tx, personId);
  if (!passkeys.some((one) => one.passkeyId === passkeyId)) return { outcome: 'unknown' };
  const hasAuthenticator = credentials !== null && credentials.totpSecret !== null;
  // mark: one-second-factor-remains
  if (!mayRemovePasskey({ hasAuthenticator, passkeys: passkeys.length })) return { outcome: 'last' };
  const name = await deletePasskey(tx, personId, passkeyId);
  if (name === null) return { outcome: 'unknown' };
  await deleteOtherSessions(tx, personId, sessionId);
  return { outcome: 'removed', name };
}
