// Opens a session, and ends the session of an earlier stage that it continues.
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCredentials } from '../../db/tables/access/credentials.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  hasSession,
  insertSession,
  type NewSession,
} from '../../db/tables/access/dashboard-sessions.ts';
import { deleteAttempts } from '../../db/tables/access/sign-in-attempts.ts';

export interface OpenSession {
  readonly session: NewSession;
  /** The session of an earlier stage, whose token becomes invalid. */
  readonly replaces: string | null;
  /** Set where the password was right just now: the hash of the e-mail whose wrong attempts are forgotten. */
  readonly forgets: Buffer | null;
}

export async function openSession(tx: Tx, { session, replaces, forgets }: OpenSession): Promise<void> {
  if (replaces !== null) await deleteSession(tx, session.personId, replaces);
  if (forgets !== null) await deleteAttempts(tx, forgets);
  await deleteExpiredSessions(tx, session.createdAtMs);
  await insertSession(tx, session);
}

/** What was checked before the database transaction: the hash that a password fitted, the session that asks, or both. */
export interface LookedAt {
  readonly personId: string;
  readonly passwordHash?: string;
  readonly sessionId?: string;
}

/**
 * Whether the checked facts still hold. Flows that change a password, or remove a second factor or a person, lock the
 * credentials first and then end sessions. So a sign-in that was under way meanwhile fails here, and an old password cannot
 * set a new one.
 */
export async function stillStands(tx: Tx, { personId, passwordHash, sessionId }: LookedAt): Promise<boolean> {
  const credentials = await lockCredentials(tx, personId);
  // mark: an-old-password-opens-nothing
  if (passwordHash !== undefined && credentials?.passwordHash !== passwordHash) return false;
  // mark: an-ended-session-goes-nowhere
  return sessionId === undefined || hasSession(tx, personId, sessionId);
}
