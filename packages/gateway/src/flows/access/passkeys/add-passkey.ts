// A passkey becomes a second factor of its person.
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
  /** The password alone was shown, which is enough for the first second factor. */
  readonly isFirst: boolean;
  /** For a person who has none. */
  readonly recoveryHashes: readonly Buffer[];
}

export type PasskeyAdded =
  | { readonly outcome: 'added'; readonly hasNewRecoveryCodes: boolean }
  | { readonly outcome: 'known' | 'too-many' | 'changed' | 'session-over' };

/**
 * With the first second factor every other session ends: they were opened with a password alone. A session that a reset
 * has ended meanwhile adds nothing: both wait for the same row.
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
  // An authenticator may have been begun with the password alone.
  await updatePendingSecret(tx, personId, null);
  if (isFirst) await deleteOtherSessions(tx, personId, sessionId);
  const needsCodes = isFirst || (await countRecoveryCodes(tx, personId)) === 0;
  if (needsCodes) await replaceRecoveryCodes(tx, personId, recoveryHashes);
  return { outcome: 'added', hasNewRecoveryCodes: needsCodes };
}
