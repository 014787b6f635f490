// A code of a new authenticator was shown: it counts from now on, with new recovery codes, and other sessions end.
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
  /** The password alone was shown, which is enough for the first second factor. */
  readonly isFirst: boolean;
  readonly recoveryHashes: readonly Buffer[];
}

/**
 * 'changed' where another session set up the first second factor meanwhile: the password alone is not enough then.
 * 'session-over' where the session was ended meanwhile, as by a reset, which waits for the same row.
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
    // Steps of the authenticator before stay used up.
    await updateCodeState(tx, personId, { ...state, lastStep: credentials?.codes.lastStep ?? -1 });
    return result;
  }
  await adoptPendingSecret(tx, personId, state.lastStep);
  await replaceRecoveryCodes(tx, personId, recoveryHashes);
  await deleteOtherSessions(tx, personId, sessionId);
  return result;
}
