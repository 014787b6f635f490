// Opens a session; one that it goes on from is over.
import type { Tx } from '../../db/postgres/tx.ts';
import {
  deleteExpiredSessions,
  deleteSession,
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
