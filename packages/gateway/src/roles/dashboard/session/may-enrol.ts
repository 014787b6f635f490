// Whether a person may set up a second factor, and which ones there are.
import { hasSecondFactor, type SecondFactors } from '@ducat/core/access/second-factors';
import type { SessionStage } from '@ducat/core/access/session-life';
import type { Reader } from '../../../db/postgres/tx.ts';
import { readCredentials } from '../../../db/tables/access/credentials.ts';
import { countPasskeys } from '../../../db/tables/access/passkeys.ts';
import { type Answer, answer, type Call, refusal, type Session } from '../call.ts';

export interface Enrolling extends Session {
  /** There is none yet: the password alone may set up the first, and no other one. */
  readonly isFirst: boolean;
}

export async function factorsOf(reader: Reader, personId: string): Promise<SecondFactors> {
  const credentials = await readCredentials(reader, personId);
  const passkeys = await countPasskeys(reader, personId);
  return { hasAuthenticator: credentials !== null && credentials.totpSecret !== null, passkeys };
}

/** What a right password leads to: the second factor, or setting up the first one, which the demo does without. */
export async function stageAfterPassword(
  reader: Reader,
  personId: string,
  isDemo: boolean,
): Promise<SessionStage> {
  if (hasSecondFactor(await factorsOf(reader, personId))) return 'code-needed';
  return isDemo ? 'signed-in' : 'enrolment-needed';
}

/** Where a session was about to set up the first one. */
export const factorSetUpMeanwhile = refusal(
  'changed',
  'a second factor was set up meanwhile: sign in with it',
);

/** With a password alone only where there is no second factor yet; else one is shown first. */
export async function mayEnrol({ deps, session, nowMs }: Call<'totp.begin'>): Promise<Answer<Enrolling>> {
  if (session === null || session.session.stage === 'code-needed')
    return refusal('signed-out', 'sign in first');
  const isFirst = !hasSecondFactor(await factorsOf(deps.reader, session.person.personId));
  if (!isFirst && session.session.stepUpUntilMs <= nowMs)
    return refusal('step-up-needed', 'show the second factor again');
  return answer({ ...session, isFirst });
}
