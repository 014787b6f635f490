// Setting up an authenticator, and recovery codes for when it is lost.
import { stepUpEndsAt } from '@ducat/core/access/session-life';
import {
  readCredentials,
  replaceRecoveryCodes,
  updatePendingSecret,
} from '../../../db/tables/access/credentials.ts';
import { adoptAuthenticator } from '../../../flows/access/adopt-authenticator.ts';
import { stillStands } from '../../../flows/access/open-session.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from '../../../keys/tokens.ts';
import { answer, type Handlers, refusal } from '../call.ts';
import { beginSession } from './begin-session.ts';
import { mailPerson } from '../notices/mail-notice.ts';
import { factorSetUpMeanwhile, mayEnrol } from './may-enrol.ts';
import { codeRefused } from './show-code.ts';

export const authenticatorHandlers: Handlers<'totp.begin' | 'totp.confirm' | 'recovery-codes.renew'> = {
  'totp.begin': async (call) => {
    const allowed = await mayEnrol(call);
    if (!allowed.ok) return allowed;
    const { deps, record } = call;
    const { personId, email } = allowed.value.person;
    const { setupUrl, secret, sealed } = deps.oneTimeCodes.create(personId, email);
    await deps.transact(async (tx) => {
      await updatePendingSecret(tx, personId, sealed);
      await record(tx, { subject: personId });
    });
    return answer({ setup_url: setupUrl, secret });
  },

  'totp.confirm': async (call, { code }) => {
    const allowed = await mayEnrol(call);
    if (!allowed.ok) return allowed;
    const { deps, nowMs, record } = call;
    const { person, session, isFirst } = allowed.value;
    const { personId } = person;
    const sealed = (await readCredentials(deps.reader, personId))?.totpPending ?? null;
    if (sealed === null) return refusal('conflict', 'begin with totp.begin');
    const step = deps.oneTimeCodes.stepOf(personId, sealed, code);
    const codes = newRecoveryCodes(deps.world);
    const recoveryHashes = codes.map((each) => hashOfRecoveryCode(personId, each));
    const { sessionId } = session;
    const done = await deps.transact(async (tx) => {
      const shown = { personId, step, sealed, nowMs, sessionId, isFirst, recoveryHashes };
      const result = await adoptAuthenticator(tx, shown);
      if (result === 'changed' || result === 'session-over') return result;
      const token = result.ok
        ? await beginSession(tx, call, {
            person,
            stage: 'signed-in',
            stepUpUntilMs: stepUpEndsAt(nowMs),
            forgets: null,
            mailsNewDevice: false,
          })
        : '';
      if (result.ok) await mailPerson(tx, call, person, { kind: 'authenticator-changed' });
      await record(tx, { subject: personId, detail: result.ok ? 'authenticator set up' : 'wrong code' });
      return { result, token };
    });
    if (done === 'changed') return factorSetUpMeanwhile;
    if (done === 'session-over') return refusal('signed-out', 'sign in first');
    if (!done.result.ok) return codeRefused(done.result.refusal);
    call.setToken(done.token);
    return answer({ stage: 'signed-in', recovery_codes: [...codes] });
  },

  'recovery-codes.renew': async (call) => {
    const { deps, session, record } = call;
    const { personId } = session.person;
    const { sessionId } = session.session;
    const codes = newRecoveryCodes(deps.world);
    const isDone = await deps.transact(async (tx) => {
      if (!(await stillStands(tx, { personId, sessionId }))) return false;
      await replaceRecoveryCodes(
        tx,
        personId,
        codes.map((each) => hashOfRecoveryCode(personId, each)),
      );
      await mailPerson(tx, call, session.person, { kind: 'recovery-codes-renewed' });
      await record(tx, { subject: personId });
      return true;
    });
    return isDone ? answer({ recovery_codes: [...codes] }) : refusal('signed-out', 'sign in first');
  },
};
