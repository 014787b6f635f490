// Checks the password of an account. The attempt is counted first, and an unknown account takes as long as a known one.
import type { Tx } from '../../../db/postgres/tx.ts';
import { lockAttempts, writeAttempts } from '../../../db/tables/access/sign-in-attempts.ts';
import { beginAttempt } from '../../../flows/access/begin-attempt.ts';
import { type Call, type DashboardRefusal, refusal } from '../call.ts';
import { emailHash } from './email-hash.ts';

/** Null where the password fits. */
export async function checkPassword(
  call: Pick<Call<'session.sign-in'>, 'deps' | 'nowMs' | 'record' | 'address'>,
  { email, personId, hashed }: { email: string; personId: string | null; hashed: string | null },
  password: string,
): Promise<DashboardRefusal | null> {
  const { deps, nowMs, record, address } = call;
  const waitS = await deps.transact((tx) => beginAttempt(tx, emailHash(email), nowMs));
  if (waitS > 0) {
    const message = `too many wrong passwords: try again in ${waitS} s`;
    return refusal('too-many', message, { retryAfterS: waitS }).refusal;
  }
  if (await deps.passwords.fits(hashed, password)) return null;
  // mark: strangers-write-no-audit-log
  if (personId === null) {
    deps.logger.warn({ address }, 'a wrong password for an e-mail that no account has');
    await deps.transact((tx) => writeNothingNew(tx, email, nowMs));
  } else {
    await deps.transact((tx) => record(tx, { subject: personId, detail: 'wrong password', personId }));
  }
  return refusal('sign-in-failed', 'e-mail or password is wrong').refusal;
}

/**
 * As many statements and as much of a commit as an entry of the audit log, so that the time of the answer does not say who
 * has an account. It writes the count of the attempt as it stands.
 */
async function writeNothingNew(tx: Tx, email: string, nowMs: number): Promise<void> {
  const hash = emailHash(email);
  await writeAttempts(tx, hash, await lockAttempts(tx, hash, nowMs), nowMs);
}
