// A person's new password.
import { readCredentials } from '../../../db/tables/access/credentials.ts';
import { changePassword } from '../../../flows/access/change-password.ts';
import { stillStands } from '../../../flows/access/open-session.ts';
import { answer, type Handlers, refusal } from '../call.ts';
import { mailPerson } from '../notices/mail-notice.ts';
import { checkPassword } from './check-password.ts';
import { emailHash } from './email-hash.ts';
import { passwordTrouble } from './password-trouble.ts';

const SIGNED_OUT = refusal('signed-out', 'sign in first');

export const passwordHandlers: Handlers<'password.change'> = {
  'password.change': async (call, { password, new_password: wanted }) => {
    const { deps, session, record } = call;
    const { personId, email } = session.person;
    const trouble = passwordTrouble(wanted, email);
    if (trouble !== null)
      return refusal('field-invalid', `new_password ${trouble}`, { field: 'new_password' });
    const hashed = (await readCredentials(deps.reader, personId))?.passwordHash ?? null;
    const no = await checkPassword(call, { email, personId, hashed }, password);
    if (no !== null || hashed === null) return { ok: false, refusal: no ?? SIGNED_OUT.refusal };
    const passwordHash = await deps.passwords.hash(wanted);
    const isDone = await deps.transact(async (tx) => {
      const { sessionId } = session.session;
      if (!(await stillStands(tx, { personId, passwordHash: hashed, sessionId }))) return false;
      await changePassword(tx, { personId, sessionId, emailHash: emailHash(email), passwordHash });
      await mailPerson(tx, call, session.person, { kind: 'password-changed' });
      await record(tx, { subject: personId });
      return true;
    });
    return isDone ? answer({}) : SIGNED_OUT;
  },
};
