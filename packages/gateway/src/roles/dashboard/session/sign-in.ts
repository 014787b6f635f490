// Signing in by password and second factor, signing out, and showing the second factor again.
import { hasSecondFactor } from '@ducat/core/access/second-factors';
import { stepUpEndsAt } from '@ducat/core/access/session-life';
import {
  countRecoveryCodes,
  readCredentials,
  useRecoveryCode,
} from '../../../db/tables/access/credentials.ts';
import { deleteSession, updateStepUp } from '../../../db/tables/access/dashboard-sessions.ts';
import { deleteAttempts } from '../../../db/tables/access/sign-in-attempts.ts';
import { findPersonByEmail } from '../../../db/tables/access/people.ts';
import { hashOfRecoveryCode } from '../../../keys/tokens.ts';
import { answer, type Handlers, refusal, type Session } from '../call.ts';
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
    if (no !== null || credentials === null || person === null)
      return { ok: false, refusal: no ?? refusal('sign-in-failed', 'e-mail or password is wrong').refusal };
    const { personId } = person;
    const stage = await stageAfterPassword(deps.reader, personId, deps.demo);
    const token = await deps.transact(async (tx) => {
      const forgets = emailHash(email);
      const begin = { person, stage, stepUpUntilMs: 0, forgets, mailsNewDevice: true } as const;
      const opened = await beginSession(tx, call, begin);
      await record(tx, { subject: personId, detail: stage, personId });
      return opened;
    });
    call.setToken(token);
    return answer({ stage });
  },

  'session.enter-code': async (call, { code }) => {
    const { deps, session, record } = call;
    if (session?.session.stage !== 'code-needed') return refusal('signed-out', 'sign in first');
    const shown = await showCode(call, session, code, async (tx) => {
      const token = await beginSession(tx, call, wholeSession(session, call.nowMs));
      await record(tx, { subject: session.person.personId, detail: 'signed in' });
      return token;
    });
    if (!shown.ok) return shown;
    call.setToken(shown.value);
    deps.logger.info({ personId: session.person.personId }, 'a person signed in');
    return answer({ stage: 'signed-in' });
  },

  'session.enter-passkey': async (call, { assertion }) => {
    const { session, record } = call;
    if (session?.session.stage !== 'code-needed') return refusal('signed-out', 'sign in first');
    const shown = await showPasskey(call, session, assertion, async (tx) => {
      const token = await beginSession(tx, call, wholeSession(session, call.nowMs));
      await record(tx, { subject: session.person.personId, detail: 'signed in' });
      return token;
    });
    if (!shown.ok) return shown;
    call.setToken(shown.value);
    return answer({ stage: 'signed-in' });
  },

  'session.enter-recovery-code': async (call, { recovery_code: code }) => {
    const { deps, session, record, nowMs } = call;
    if (session?.session.stage !== 'code-needed') return refusal('signed-out', 'sign in first');
    const { personId } = session.person;
    const hash = hashOfRecoveryCode(personId, code);
    const token = await deps.transact(async (tx) => {
      const isRight = await useRecoveryCode(tx, personId, hash, nowMs);
      const opened = isRight ? await beginSession(tx, call, wholeSession(session, nowMs)) : null;
      if (isRight) {
        const codesLeft = await countRecoveryCodes(tx, personId);
        await mailPerson(tx, call, session.person, { kind: 'recovery-code-used', codesLeft });
      }
      await record(tx, { subject: personId, detail: isRight ? 'signed in' : 'wrong recovery code' });
      return opened;
    });
    if (token === null)
      return refusal('field-invalid', 'recovery_code is wrong or was used', { field: 'recovery_code' });
    call.setToken(token);
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

/** The second factor was shown just now, which counts for what needs it too. */
function wholeSession({ person }: Session, nowMs: number) {
  const stepUpUntilMs = stepUpEndsAt(nowMs);
  return { person, stage: 'signed-in', stepUpUntilMs, forgets: null, mailsNewDevice: true } as const;
}
