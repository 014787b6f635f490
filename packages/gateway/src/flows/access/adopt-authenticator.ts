// Makes a new authenticator valid once a code of it was shown: writes new recovery codes and ends all other sessions.
import { hasSecondFactor } from '@ducat/core/access/second-factors';
import { useCode } from '@ducat/core/payout/one-time-code';
import type { Result } from '@ducat/core/result';
import type { Tx } from '../../db/postgres/tx.ts';
import {
  adoptPendingSecret,
  lockCredentials,
  replaceRecoveryCodes,
  updateCodeState,
} from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions, hasSession } from '../../db/tables/access/dashboard-sessions.ts';
import { countPasskeys } from '../../db/tables/access/passkeys.ts';
import type { ShownCode } from './use-one-time-code.ts';

export interface NewAuthenticator extends ShownCode {
  readonly sessionId: string;
  /** Whether only the password was shown. The password alone is enough to set up the first second factor. */
  readonly isFirst: boolean;
  readonly recoveryHashes: readonly Buffer[];
}

/**
 * - `changed`: another session set up the first second factor meanwhile, so the password alone is not enough.
 * - `session-over`: the session was ended meanwhile, such as by a reset, which locks the same row.
 */
export async function adoptAuthenticator(
  tx: Tx,
  shown: NewAuthenticator,
): Promise<Result<null> | 'changed' | 'session-over'> {
  const { personId, step, sealed, nowMs, sessionId, isFirst, recoveryHashes } = shown;
  const credentials = await lockCredentials(tx, personId);
  const hasAuthenticator = credentials !== null && credentials.totpSecret !== null;
  const passkeys = await countPasskeys(tx, personId);
  if (isFirst && hasSecondFactor({ hasAuthenticator, passkeys })) return 'changed';
  if (!(await hasSession(tx, personId, sessionId))) return 'session-over';
  const isSame = credentials?.totpPending?.equals(sealed) ?? false;
  const { failures = 0, lockedUntilMs = 0 } = credentials?.codes ?? {};
  const { state, result } = useCode({ lastStep: -1, failures, lockedUntilMs }, isSame ? step : null, nowMs);
  if (!result.ok) {
    // The time steps that were used with the old authenticator stay used.
    await updateCodeState(tx, personId, { ...state, lastStep: credentials?.codes.lastStep ?? -1 });
    return result;
  }
  await adoptPendingSecret(tx, personId, state.lastStep);
  await replaceRecoveryCodes(tx, personId, recoveryHashes);
  await deleteOtherSessions(tx, personId, sessionId);
  return result;
}
