// Adds a passkey as a second factor of a person.
import { hasSecondFactor, MOST_PASSKEYS } from '@ducat/core/access/second-factors';
import type { Tx } from '../../../db/postgres/tx.ts';
import {
  countRecoveryCodes,
  lockCredentials,
  replaceRecoveryCodes,
  updatePendingSecret,
} from '../../../db/tables/access/credentials.ts';
import { deleteOtherSessions, hasSession } from '../../../db/tables/access/dashboard-sessions.ts';
import { countPasskeys, insertPasskey, type Passkey } from '../../../db/tables/access/passkeys.ts';

export interface AddPasskey {
  readonly passkey: Omit<Passkey, 'usedAtMs'>;
  readonly sessionId: string;
  /** Whether only the password was shown. The password alone is enough to set up the first second factor. */
  readonly isFirst: boolean;
  /** New recovery codes, for a person who has none. */
  readonly recoveryHashes: readonly Buffer[];
}

export type PasskeyAdded =
  | { readonly outcome: 'added'; readonly hasNewRecoveryCodes: boolean }
  | { readonly outcome: 'known' | 'too-many' | 'changed' | 'session-over' };

/**
 * The first second factor ends every other session, because those were opened with the password alone. A session that a
 * reset ended meanwhile adds no passkey: reset and this flow lock the same row.
 */
export async function addPasskey(
  tx: Tx,
  { passkey, sessionId, isFirst, recoveryHashes }: AddPasskey,
): Promise<PasskeyAdded> {
  const { personId } = passkey;
  const credentials = await lockCredentials(tx, personId);
  const passkeys = await countPasskeys(tx, personId);
  const hasAuthenticator = credentials !== null && credentials.totpSecret !== null;
  if (isFirst && hasSecondFactor({ hasAuthenticator, passkeys })) return { outcome: 'changed' };
  // mark: no-factor-after-a-reset
  if (!(await hasSession(tx, personId, sessionId))) return { outcome: 'session-over' };
  if (passkeys >= MOST_PASSKEYS) return { outcome: 'too-many' };
  if (!(await insertPasskey(tx, passkey))) return { outcome: 'known' };
  // A pending authenticator may have been set up with the password alone.
  await updatePendingSecret(tx, personId, null);
  if (isFirst) await deleteOtherSessions(tx, personId, sessionId);
  const needsCodes = isFirst || (await countRecoveryCodes(tx, personId)) === 0;
  if (needsCodes) await replaceRecoveryCodes(tx, personId, recoveryHashes);
  return { outcome: 'added', hasNewRecoveryCodes: needsCodes };
}
