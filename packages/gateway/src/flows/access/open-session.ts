// Opens a session; one that it goes on from is over.
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
  /** The session of an earlier stage, whose token means nothing any more. */
  readonly replaces: string | null;
  /** The e-mail's hash where the password was right just now: its wrong ones are forgotten. */
  readonly forgets: Buffer | null;
}

export async function openSession(tx: Tx, { session, replaces, forgets }: OpenSession): Promise<void> {
  if (replaces !== null) await deleteSession(tx, session.personId, replaces);
  if (forgets !== null) await deleteAttempts(tx, forgets);
  await deleteExpiredSessions(tx, session.createdAtMs);
  await insertSession(tx, session);
}

/** What was looked at before the transaction: the hash that a password fitted, the session that asks, or both. */
export interface LookedAt {
  readonly personId: string;
  readonly passwordHash?: string;
  readonly sessionId?: string;
}

/**
 * Whether it still stands. What gives another password, or takes a second factor or a person away, locks the credentials first and then
 * ends sessions: a sign-in that was under way meanwhile leads nowhere, and no old password sets another one.
 */
export async function stillStands(tx: Tx, { personId, passwordHash, sessionId }: LookedAt): Promise<boolean> {
  const credentials = await lockCredentials(tx, personId);
  // mark: an-old-password-opens-nothing
  if (passwordHash !== undefined && credentials?.passwordHash !== passwordHash) return false;
  // mark: an-ended-session-goes-nowhere
  return sessionId === undefined || hasSession(tx, personId, sessionId);
}
