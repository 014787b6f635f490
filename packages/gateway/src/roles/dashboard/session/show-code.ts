// A person shows a code of the authenticator; `then` writes what the code allows in the same transaction.
import type { Tx } from '../../../db/postgres/tx.ts';
import { readCredentials } from '../../../db/tables/access/credentials.ts';
import { useOneTimeCode } from '../../../flows/access/use-one-time-code.ts';
import { type Answer, answer, type Call, refusal, refused, type Session } from '../call.ts';

export async function showCode<T>(
  { deps, nowMs, record }: Pick<Call<'session.sign-in'>, 'deps' | 'nowMs' | 'record'>,
  { person: { personId } }: Session,
  code: string,
  then: (tx: Tx) => Promise<T>,
): Promise<Answer<T>> {
  const credentials = await readCredentials(deps.reader, personId);
  const sealed = credentials?.totpSecret ?? null;
  if (sealed === null) return refusal('signed-out', 'sign in first');
  const step = deps.oneTimeCodes.stepOf(personId, sealed, code);
  return deps.transact(async (tx) => {
    const result = await useOneTimeCode(tx, { personId, step, sealed, nowMs });
    if (result.ok) return answer(await then(tx));
    await record(tx, {
      subject: personId,
      detail: result.refusal.code === 'code-locked' ? 'codes are locked' : 'wrong code',
    });
    return codeRefused(result.refusal);
  });
}

/** The refusal of a payout's one-time code, with the field name of this API. */
export function codeRefused(no: Parameters<typeof refused>[0]) {
  return refused({ ...no, field: 'code', message: no.message.replace('otp_code', 'code') });
}
