// A person's sessions: seen and ended.
import { isAlive } from '@ducat/core/access/session-life';
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../../../db/tables/access/dashboard-sessions.ts';
import { answer, type Handlers, unknown } from '../call.ts';

export const sessionListHandlers: Handlers<'sessions.list' | 'sessions.revoke' | 'sessions.revoke-others'> = {
  'sessions.list': async ({ deps, session, nowMs }) => {
    const sessions = await listSessions(deps.reader, session.person.personId);
    return answer({
      sessions: sessions
        .filter((each) => isAlive(each, nowMs))
        .map((each) => ({
          session_id: each.sessionId,
          is_current: each.sessionId === session.session.sessionId,
          created_at: Math.floor(each.createdAtMs / 1000),
          seen_at: Math.floor(each.seenAtMs / 1000),
          expires_at: Math.floor(each.expiresAtMs / 1000),
          address: each.address,
          user_agent: each.userAgent,
        })),
    });
  },

  'sessions.revoke': async ({ deps, session, record }, { session_id: sessionId }) => {
    const isEnded = await deps.transact(async (tx) => {
      const wasOpen = await deleteSession(tx, session.person.personId, sessionId);
      if (wasOpen) await record(tx, { subject: sessionId });
      return wasOpen;
    });
    return isEnded ? answer({}) : unknown('session');
  },

  'sessions.revoke-others': async ({ deps, session, record }) => {
    const { personId } = session.person;
    const ended = await deps.transact(async (tx) => {
      const count = await deleteOtherSessions(tx, personId, session.session.sessionId);
      await record(tx, { subject: personId, detail: `${count} sessions` });
      return count;
    });
    return answer({ ended });
  },
};
