// Finds the session of a request by its cookie; null where there is none, or it has ended.
import { isAlive } from '@ducat/core/access/session-life';
import type { FastifyRequest } from 'fastify';
import { findSession, touchSession } from '../../../db/tables/access/dashboard-sessions.ts';
import { hashOfToken } from '../../../keys/tokens.ts';
import type { Session } from '../call.ts';
import type { DashboardDeps } from '../port.ts';
import { readToken } from '../session-cookie.ts';

/** The least time between two updates of a session's last use. */
const TOUCHED_EVERY_MS = 60_000;

export async function readSession(
  { reader, transact, url }: DashboardDeps,
  request: FastifyRequest,
  nowMs: number,
): Promise<Session | null> {
  const token = readToken(request, url);
  const found = token === null ? null : await findSession(reader, hashOfToken(token));
  if (found === null || !isAlive(found.session, nowMs)) return null;
  const { sessionId, seenAtMs } = found.session;
  if (nowMs - seenAtMs > TOUCHED_EVERY_MS)
    await transact((tx) => touchSession(tx, sessionId, nowMs), 'one-statement');
  return found;
}
