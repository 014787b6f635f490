// A code of a new authenticator was shown: it counts from now on, with new recovery codes, and other sessions end.
import { useCode } from '@ducat/core/payout/one-time-code';
import type { Result } from '@ducat/core/result';
import type { Tx } from '../../db/postgres/tx.ts';
import {
  adoptPendingSecret,
  lockCredentials,
  replaceRecoveryCodes,
  updateCodeState,
} from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../db/tables/access/dashboard-sessions.ts';
import type { ShownCode } from './use-one-time-code.ts';

export interface NewAuthenticator extends ShownCode {
  readonly sessionId: string;
  readonly recoveryHashes: readonly Buffer[];
}

export async function adoptAuthenticator(tx: Tx, shown: NewAuthenticator): Promise<Result<null>> {
  const { personId, step, sealed, nowMs, sessionId, recoveryHashes } = shown;
  const credentials = await lockCredentials(tx, personId);
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
