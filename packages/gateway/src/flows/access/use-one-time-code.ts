// Uses a one-time code of a person's authenticator. Each code works once, and wrong codes lock further ones for a while.
import { useCode } from '@ducat/core/payout/one-time-code';
import type { Result } from '@ducat/core/result';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCredentials, updateCodeState } from '../../db/tables/access/credentials.ts';

export interface ShownCode {
  readonly personId: string;
  /** The time step that the code fits, null where it fits none. */
  readonly step: number | null;
  /** The sealed secret for which the step was found. */
  readonly sealed: Buffer;
  readonly nowMs: number;
}

/** The result is written in this transaction, so a wrong code counts whatever becomes of the request. */
export async function useOneTimeCode(
  tx: Tx,
  { personId, step, sealed, nowMs }: ShownCode,
): Promise<Result<null>> {
  const credentials = await lockCredentials(tx, personId);
  const isSame = credentials?.totpSecret?.equals(sealed) ?? false;
  const before = credentials?.codes ?? { lastStep: -1, failures: 0, lockedUntilMs: 0 };
  const { state, result } = useCode(before, isSame ? step : null, nowMs);
  await updateCodeState(tx, personId, state);
  return result;
}
