// Opens a session for a person and hands its token to the browser; each stage has a token of its own.
import { sessionEndsAt, type SessionStage } from '@ducat/core/access/session-life';
import type { Person } from '../../../db/tables/access/people.ts';
import type { Tx } from '../../../db/postgres/tx.ts';
import { noteSignIn } from '../../../flows/access/note-sign-in.ts';
import { openSession } from '../../../flows/access/open-session.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { newSessionId } from '../../../runtime/ids.ts';
import type { Call } from '../call.ts';
import { mailPerson } from '../notices/mail-notice.ts';

export interface BeginSession {
  readonly person: Pick<Person, 'personId' | 'email'>;
  readonly stage: SessionStage;
  readonly stepUpUntilMs: number;
  /** As in `openSession`. */
  readonly forgets: Buffer | null;
  /** Whether a new browser is reported by mail; false where another mail of this moment reports as much. */
  readonly mailsNewDevice: boolean;
}

/** Returns the session's token, which the caller hands to the browser after the commit. */
export async function beginSession(
  tx: Tx,
  call: Call<'session.sign-in'>,
  { person, stage, stepUpUntilMs, forgets, mailsNewDevice }: BeginSession,
): Promise<string> {
  const { deps, nowMs, address, userAgent, session, device } = call;
  const { personId } = person;
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
  if (stage === 'signed-in') {
    const isNew = await noteSignIn(tx, { personId, deviceHash: hashOfToken(device), nowMs });
    if (isNew && mailsNewDevice) await mailPerson(tx, call, person, { kind: 'new-device' });
  }
  return token;
}
