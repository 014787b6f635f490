// Sessions of the dashboard, by the hash of the token that a cookie carries. A session that ended has no row.
import type { SessionStage } from '@ducat/core/access/session-life';
import type { Reader, Tx } from '../../postgres/tx.ts';
import type { Person } from './people.ts';

export interface DashboardSession {
  readonly sessionId: string;
  readonly stage: SessionStage;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
  readonly stepUpUntilMs: number;
  readonly address: string;
  readonly userAgent: string;
}

interface Row {
  readonly session_id: string;
  readonly stage: SessionStage;
  readonly created_at_ms: number;
  readonly seen_at_ms: number;
  readonly expires_at_ms: number;
  readonly step_up_until_ms: number;
  readonly address: string;
  readonly user_agent: string;
}

const toSession = (row: Row): DashboardSession => ({
  sessionId: row.session_id,
  stage: row.stage,
  createdAtMs: row.created_at_ms,
  seenAtMs: row.seen_at_ms,
  expiresAtMs: row.expires_at_ms,
  stepUpUntilMs: row.step_up_until_ms,
  address: row.address,
  userAgent: row.user_agent,
});

export interface NewSession extends DashboardSession {
  readonly tokenHash: Buffer;
  readonly personId: string;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.write(
    `INSERT INTO dashboard_sessions (session_id, token_hash, person_id, stage, created_at_ms, seen_at_ms,
       expires_at_ms, step_up_until_ms, address, user_agent)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      session.sessionId,
      session.tokenHash,
      session.personId,
      session.stage,
      session.createdAtMs,
      session.seenAtMs,
      session.expiresAtMs,
      session.stepUpUntilMs,
      session.address,
      session.userAgent,
    ],
  );
}

/** The session of a token and its person; null where there is none of that token, or it has ended. */
export async function findSession(
  reader: Reader,
  tokenHash: Buffer,
): Promise<{ readonly session: DashboardSession; readonly person: Person } | null> {
  const [row] = await reader.read<
    Row & { person_id: string; email: string; name: string; is_operator: boolean }
  >(
    `SELECT s.*, p.email, p.name, p.is_operator FROM dashboard_sessions s JOIN people p USING (person_id)
     WHERE s.token_hash = $1`,
    [tokenHash],
  );
  if (row === undefined) return null;
  const { person_id: personId, email, name, is_operator: isOperator } = row;
  return { session: toSession(row), person: { personId, email, name, isOperator } };
}

/** Whether the person still has this session. */
export async function hasSession(reader: Reader, personId: string, sessionId: string): Promise<boolean> {
  const rows = await reader.read(
    'SELECT 1 FROM dashboard_sessions WHERE person_id = $1 AND session_id = $2',
    [personId, sessionId],
  );
  return rows.length > 0;
}

/** Signed-in sessions of a person, newest first. */
export async function listSessions(reader: Reader, personId: string): Promise<readonly DashboardSession[]> {
  const rows = await reader.read<Row>(
    `SELECT * FROM dashboard_sessions WHERE person_id = $1 AND stage = 'signed-in'
     ORDER BY created_at_ms DESC LIMIT 100`,
    [personId],
  );
  return rows.map(toSession);
}

export async function touchSession(tx: Tx, sessionId: string, nowMs: number): Promise<void> {
  await tx.write('UPDATE dashboard_sessions SET seen_at_ms = $2 WHERE session_id = $1', [sessionId, nowMs]);
}

export async function updateStepUp(tx: Tx, sessionId: string, untilMs: number): Promise<void> {
  await tx.write('UPDATE dashboard_sessions SET step_up_until_ms = $2 WHERE session_id = $1', [
    sessionId,
    untilMs,
  ]);
}

/** Whether the person had this session. */
export async function deleteSession(tx: Tx, personId: string, sessionId: string): Promise<boolean> {
  const rows = await tx.write(
    'DELETE FROM dashboard_sessions WHERE person_id = $1 AND session_id = $2 RETURNING 1',
    [personId, sessionId],
  );
  return rows.length > 0;
}

/** Ends the sessions of a person but one, or with null all; returns how many. */
export async function deleteOtherSessions(tx: Tx, personId: string, butId: string | null): Promise<number> {
  const rows = await tx.write(
    'DELETE FROM dashboard_sessions WHERE person_id = $1 AND session_id IS DISTINCT FROM $2 RETURNING 1',
    [personId, butId],
  );
  return rows.length;
}

/** Deletes some of the expired sessions. */
export async function deleteExpiredSessions(tx: Tx, nowMs: number): Promise<void> {
  await tx.write(
    `DELETE FROM dashboard_sessions WHERE session_id IN (
       SELECT session_id FROM dashboard_sessions WHERE expires_at_ms < $1
       ORDER BY expires_at_ms LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    [nowMs],
  );
}
