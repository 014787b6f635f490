// Whether a person may set up a second factor, and which ones there are.
import { hasSecondFactor, type SecondFactors } from '@ducat/core/access/second-factors';
import type { SessionStage } from '@ducat/core/access/session-life';
import type { Reader } from '../../../db/postgres/tx.ts';
import { readCredentials } from '../../../db/tables/access/credentials.ts';
import { countPasskeys } from '../../../db/tables/access/passkeys.ts';
import { type Answer, answer, type Call, refusal, type Session } from '../call.ts';

export interface Enrolling extends Session {
  /** Whether there is no second factor yet. The password alone may set up the first one, and no other one. */
  readonly isFirst: boolean;
}

export async function factorsOf(reader: Reader, personId: string): Promise<SecondFactors> {
  const credentials = await readCredentials(reader, personId);
  const passkeys = await countPasskeys(reader, personId);
  return { hasAuthenticator: credentials !== null && credentials.totpSecret !== null, passkeys };
}

/** The stage after a right password: showing the second factor, or setting up the first one. The demo needs none. */
export async function stageAfterPassword(
  reader: Reader,
  personId: string,
  isDemo: boolean,
): Promise<SessionStage> {
  if (hasSecondFactor(await factorsOf(reader, personId))) return 'code-needed';
  return isDemo ? 'signed-in' : 'enrolment-needed';
}

/** The refusal of a session that was about to set up the first second factor. */
export const factorSetUpMeanwhile = refusal(
  'changed',
  'a second factor was set up meanwhile: sign in with it',
);

/** After the password alone, only the first second factor may be set up. For another one, a step-up is needed. */
export async function mayEnrol({ deps, session, nowMs }: Call<'totp.begin'>): Promise<Answer<Enrolling>> {
  if (session === null || session.session.stage === 'code-needed')
    return refusal('signed-out', 'sign in first');
  const isFirst = !hasSecondFactor(await factorsOf(deps.reader, session.person.personId));
  if (!isFirst && session.session.stepUpUntilMs <= nowMs)
    return refusal('step-up-needed', 'show the second factor again');
  return answer({ ...session, isFirst });
}
