// Uses the one-time code that came with a payout or a refund, where its app asks for one.
import { useCode } from '@ducat/core/payout/one-time-code';
import { fieldInvalid } from '@ducat/core/refusal';
import { accept, type Result, refuse } from '@ducat/core/result';
import type { Tx } from '../../../db/postgres/tx.ts';
import { type PayoutSettings, updateCodes } from '../../../db/tables/payouts/payout-settings.ts';

export interface GivenCode {
  readonly appId: string;
  /** The time step that the one-time code fits, null where it fits none; undefined where none was given. */
  readonly codeStep: number | null | undefined;
  readonly nowMs: number;
}

/** Called under the lock on the settings. Whatever the result, the code counts as used and cannot be tried again. */
export async function checkCode(
  tx: Tx,
  { isCodeOn, codes }: PayoutSettings,
  { appId, codeStep, nowMs }: GivenCode,
): Promise<Result<null>> {
  if (!isCodeOn) return accept(null);
  if (codeStep === undefined) return refuse(fieldInvalid('otp_code', 'is required for this app'));
  const { state, result } = useCode(codes, codeStep, nowMs);
  await updateCodes(tx, appId, state);
  return result;
}
