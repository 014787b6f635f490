// Whose request it is: the session of its cookie, where that one is alive.
import { isAlive } from '@ducat/core/access/session-life';
import type { FastifyRequest } from 'fastify';
import { findSession, touchSession } from '../../../db/tables/access/dashboard-sessions.ts';
import { hashOfToken } from '../../../keys/tokens.ts';
import type { Session } from '../call.ts';
import type { DashboardDeps } from '../port.ts';
import { readToken } from '../session-cookie.ts';

/** A session in use is written down so often at most. */
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
