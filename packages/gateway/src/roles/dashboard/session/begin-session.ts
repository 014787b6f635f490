// Opens a session for a person and hands its token to the browser; each stage has a token of its own.
import { sessionEndsAt, type SessionStage } from '@ducat/core/access/session-life';
import type { Tx } from '../../../db/postgres/tx.ts';
import { openSession } from '../../../flows/access/open-session.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { newSessionId } from '../../../runtime/ids.ts';
import type { Call } from '../call.ts';

export interface BeginSession {
  readonly personId: string;
  readonly stage: SessionStage;
  readonly stepUpUntilMs: number;
  /** As in `openSession`. */
  readonly forgets: Buffer | null;
}

/** The caller sets the token once the transaction is through. */
export async function beginSession(
  tx: Tx,
  { deps, nowMs, address, userAgent, session }: Call<'session.sign-in'>,
  { personId, stage, stepUpUntilMs, forgets }: BeginSession,
): Promise<string> {
  const token = newToken(deps.world);
  await openSession(tx, {
    session: {
      sessionId: newSessionId(deps.world),
      tokenHash: hashOfToken(token),
      personId,
      stage,
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      expiresAtMs: sessionEndsAt(stage, nowMs),
      stepUpUntilMs,
      address,
      userAgent,
    },
    replaces: session?.person.personId === personId ? session.session.sessionId : null,
    forgets,
  });
  return token;
}
