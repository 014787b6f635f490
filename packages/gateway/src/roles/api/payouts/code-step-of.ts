// The time step that the one-time code of a call fits, before anything is locked.
import { readSealedCodeSecret } from '../../../db/tables/payouts/payout-settings.ts';
import type { Call } from '../handler.ts';

/** Null where the code fits no step; undefined where no code was given, or the app asks for none. */
export async function codeStepOf(
  { app, deps }: Call,
  code: string | undefined,
): Promise<number | null | undefined> {
  if (code === undefined) return undefined;
  const sealed = await readSealedCodeSecret(deps.reader, app.appId);
  return sealed === null ? undefined : deps.oneTimeCodes.stepOf(app.appId, sealed, code);
}
