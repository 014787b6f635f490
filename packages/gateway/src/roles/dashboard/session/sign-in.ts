// Signing in by password and second factor, signing out, and showing the second factor again.
import { hasSecondFactor } from '@ducat/core/access/second-factors';
import { stepUpEndsAt } from '@ducat/core/access/session-life';
import type { Tx } from '../../../db/postgres/tx.ts';
import {
  countRecoveryCodes,
  readCredentials,
  useRecoveryCode,
} from '../../../db/tables/access/credentials.ts';
import { deleteSession, updateStepUp } from '../../../db/tables/access/dashboard-sessions.ts';
import { deleteAttempts } from '../../../db/tables/access/sign-in-attempts.ts';
import { findPersonByEmail } from '../../../db/tables/access/people.ts';
import { stillStands } from '../../../flows/access/open-session.ts';
import { hashOfRecoveryCode } from '../../../keys/tokens.ts';
import { answer, type Call, type Handlers, refusal, type Session } from '../call.ts';
import { mailPerson } from '../notices/mail-notice.ts';
import { beginSession } from './begin-session.ts';
import { checkPassword } from './check-password.ts';
import { emailHash } from './email-hash.ts';
import { factorsOf, stageAfterPassword } from './may-enrol.ts';
import { showCode } from './show-code.ts';
import { showPasskey } from './show-passkey.ts';

type Name =
  | 'session.sign-in'
  | 'session.enter-code'
  | 'session.enter-passkey'
  | 'session.enter-recovery-code'
  | 'session.sign-out'
  | 'session.step-up';

export const signInHandlers: Handlers<Name> = {
  'session.sign-in': async (call, { email, password }) => {
    const { deps, record } = call;
    const person = await findPersonByEmail(deps.reader, email);
    const credentials = person === null ? null : await readCredentials(deps.reader, person.personId);
    const account = { email, personId: person?.personId ?? null, hashed: credentials?.passwordHash ?? null };
    const no = await checkPassword(call, account, password);
    if (no !== null) return { ok: false, refusal: no };
    if (credentials === null || person === null) return WRONG;
    const { personId } = person;
    const { passwordHash } = credentials;
    const opened = await deps.transact(async (tx) => {
      if (!(await stillStands(tx, { personId, passwordHash }))) return null;
      const stage = await stageAfterPassword(tx, personId, deps.demo);
      const forgets = emailHash(email);
      const begin = { person, stage, stepUpUntilMs: 0, forgets, mailsNewDevice: true } as const;
      const token = await beginSession(tx, call, begin);
      await record(tx, { subject: personId, detail: stage, personId });
      return { stage, token };
    });
    if (opened === null) return WRONG;
    call.setToken(opened.token);
    return answer({ stage: opened.stage });
  },

  'session.enter-code': async (call, { code }) => {
    const { deps, session } = call;
    if (session?.session.stage !== 'code-needed') return SIGNED_OUT;
    const shown = await showCode(call, session, code, (tx) => goOn(tx, call, session));
    if (!shown.ok) return shown;
    if (shown.value === null) return SIGNED_OUT;
    call.setToken(shown.value);
    deps.logger.info({ personId: session.person.personId }, 'a person signed in');
    return answer({ stage: 'signed-in' });
  },

  'session.enter-passkey': async (call, { assertion }) => {
    const { session } = call;
    if (session?.session.stage !== 'code-needed') return SIGNED_OUT;
    const shown = await showPasskey(call, session, assertion, (tx) => goOn(tx, call, session));
    if (!shown.ok) return shown;
    if (shown.value === null) return SIGNED_OUT;
    call.setToken(shown.value);
    return answer({ stage: 'signed-in' });
  },

  'session.enter-recovery-code': async (call, { recovery_code: code }) => {
    const { deps, session, record, nowMs } = call;
    if (session?.session.stage !== 'code-needed') return SIGNED_OUT;
    const { personId } = session.person;
    const { sessionId } = session.session;
    const hash = hashOfRecoveryCode(personId, code);
    const done = await deps.transact(async (tx) => {
      // `stillStands` locks the credentials before the code is used, because the flows that remove all codes lock them too.
      if (!(await stillStands(tx, { personId, sessionId }))) return 'over';
      if (!(await useRecoveryCode(tx, personId, hash, nowMs))) {
        await record(tx, { subject: personId, detail: 'wrong recovery code' });
        return 'wrong';
      }
      const codesLeft = await countRecoveryCodes(tx, personId);
      await mailPerson(tx, call, session.person, { kind: 'recovery-code-used', codesLeft });
      return { token: await goOn(tx, call, session) };
    });
    if (done === 'wrong')
      return refusal('field-invalid', 'recovery_code is wrong or was used', { field: 'recovery_code' });
    if (done === 'over' || done.token === null) return SIGNED_OUT;
    call.setToken(done.token);
    return answer({ stage: 'signed-in' });
  },

  'session.sign-out': async ({ deps, session, record, setToken }) => {
    if (session !== null) {
      const { person, session: open } = session;
      await deps.transact(async (tx) => {
        const isOpen = await deleteSession(tx, person.personId, open.sessionId);
        if (isOpen) await record(tx, { subject: open.sessionId });
      });
    }
    setToken(null);
    return answer({ stage: 'signed-out' });
  },

  'session.step-up': async (call, { code, assertion, password }) => {
    const { deps, session, nowMs, record } = call;
    const { person, session: open } = session;
    const untilMs = stepUpEndsAt(nowMs);
    const credentials = await readCredentials(deps.reader, person.personId);
    if (credentials === null) return refusal('signed-out', 'sign in first');
    const stepUp = async (tx: Parameters<typeof record>[0]) => {
      await updateStepUp(tx, open.sessionId, untilMs);
      await record(tx, { subject: open.sessionId });
    };
    if (assertion !== undefined) {
      const shown = await showPasskey(call, session, assertion, stepUp);
      if (!shown.ok) return shown;
    } else if (hasSecondFactor(await factorsOf(deps.reader, person.personId))) {
      if (code === undefined) return refusal('field-invalid', 'code is required', { field: 'code' });
      const shown = await showCode(call, session, code, stepUp);
      if (!shown.ok) return shown;
    } else {
      if (password === undefined)
        return refusal('field-invalid', 'password is required', { field: 'password' });
      const account = { ...person, hashed: credentials.passwordHash };
      const no = await checkPassword(call, account, password);
      if (no !== null) return { ok: false, refusal: no };
      await deps.transact(async (tx) => {
        await deleteAttempts(tx, emailHash(person.email));
        await stepUp(tx);
      });
    }
    return answer({ step_up_until: Math.floor(untilMs / 1000) });
  },
};

const WRONG = refusal('sign-in-failed', 'e-mail or password is wrong');
const SIGNED_OUT = refusal('signed-out', 'sign in first');

/**
 * From the stage after the password to a full session. The second factor was shown just now, so it counts as a step-up too.
 * Null where the session that showed the password was ended meanwhile.
 */
async function goOn(
  tx: Tx,
  call: Call<'session.enter-code'>,
  { person, session: { sessionId } }: Session,
): Promise<string | null> {
  const { personId } = person;
  if (!(await stillStands(tx, { personId, sessionId }))) return null;
  const fresh = { stepUpUntilMs: stepUpEndsAt(call.nowMs), forgets: null, mailsNewDevice: true } as const;
  const token = await beginSession(tx, call, { person, stage: 'signed-in', ...fresh });
  await call.record(tx, { subject: personId, detail: 'signed in' });
  return token;
}
