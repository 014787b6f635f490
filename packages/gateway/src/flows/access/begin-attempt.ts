// Counts a sign-in attempt before its password is checked.
import { countAttempt, lockedForS } from '@ducat/core/access/sign-in-attempts';
import type { Tx } from '../../db/postgres/tx.ts';
import { deleteOldAttempts, lockAttempts, writeAttempts } from '../../db/tables/access/sign-in-attempts.ts';

/** Wrong passwords are remembered for a day. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** Seconds for which the account is locked; 0 where the password may be checked. */
export async function beginAttempt(tx: Tx, emailHash: Buffer, nowMs: number): Promise<number> {
  const before = await lockAttempts(tx, emailHash, nowMs);
  const waitS = lockedForS(before, nowMs);
  // mark: attempts-are-counted-first
  if (waitS === 0) await writeAttempts(tx, emailHash, countAttempt(before, nowMs), nowMs);
  await deleteOldAttempts(tx, nowMs - REMEMBERED_MS);
  return waitS;
}
