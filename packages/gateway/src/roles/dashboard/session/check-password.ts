// Checks the password of an account. The attempt is counted first, and an unknown account takes as long as a known one.
import { beginAttempt } from '../../../flows/access/begin-attempt.ts';
import { type Call, type DashboardRefusal, refusal } from '../call.ts';
import { emailHash } from './email-hash.ts';

/** Null where the password fits. */
export async function checkPassword(
  { deps, nowMs, record }: Pick<Call<'session.sign-in'>, 'deps' | 'nowMs' | 'record'>,
  { email, personId, hashed }: { email: string; personId: string | null; hashed: string | null },
  password: string,
): Promise<DashboardRefusal | null> {
  const waitS = await deps.transact((tx) => beginAttempt(tx, emailHash(email), nowMs));
  if (waitS > 0) {
    const message = `too many wrong passwords: try again in ${waitS} s`;
    return refusal('too-many', message, { retryAfterS: waitS }).refusal;
  }
  if (await deps.passwords.fits(hashed, password)) return null;
  await deps.transact((tx) =>
    record(tx, {
      subject: personId ?? '',
      detail: 'wrong password',
      ...(personId === null ? {} : { personId }),
    }),
  );
  return refusal('sign-in-failed', 'e-mail or password is wrong').refusal;
}
