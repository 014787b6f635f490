// Setting up a new gateway: the link that makes its first operator, and what is there already.
import { maySetUp } from '@ducat/core/access/setup-link';
import { findSetupLink, readGatewayUse } from '../../../db/tables/access/setup-link.ts';
import { acceptSetupLink } from '../../../flows/access/setup/accept-setup-link.ts';
import { hashOfToken } from '../../../keys/tokens.ts';
import { newPersonId } from '../../../runtime/ids.ts';
import { answer, type Call, type Handlers, refusal, unknown } from '../call.ts';
import { beginSession } from '../session/begin-session.ts';
import { passwordTrouble } from '../session/password-trouble.ts';
import { areKeysReady } from './are-keys-ready.ts';

export const setupHandlers: Handlers<'setup-link.read' | 'setup-link.accept' | 'setup.read'> = {
  'setup-link.read': async (call, { token }) =>
    (await isOpen(call, token)) ? answer({ keys_ready: await areKeysReady(call.deps) }) : unknown('link'),

  'setup-link.accept': async (call, { token, email, name, password, language }) => {
    const { deps, nowMs } = call;
    // Checked before the password is hashed, so that a guessed token does not cost a hash.
    if (!(await isOpen(call, token))) return unknown('link');
    const trouble = passwordTrouble(password, email);
    if (trouble !== null) return refusal('field-invalid', `password ${trouble}`, { field: 'password' });
    const passwordHash = await deps.passwords.hash(password);
    const person = { personId: newPersonId(deps.world), email: email.toLowerCase(), name, language };
    const stage = deps.demo ? 'signed-in' : 'enrolment-needed';
    const tokenHash = hashOfToken(token);
    const opened = await deps.transact(async (tx) => {
      const accept = { tokenHash, person, passwordHash, isDemo: deps.demo, nowMs };
      if (!(await acceptSetupLink(tx, accept))) return null;
      const begin = { person, stage, stepUpUntilMs: 0, forgets: null, mailsNewDevice: false } as const;
      const session = await beginSession(tx, call, begin);
      await call.record(tx, { subject: person.personId, detail: 'operator', personId: person.personId });
      return session;
    });
    if (opened === null) return unknown('link');
    call.setToken(opened);
    return answer({ stage });
  },

  'setup.read': async ({ deps }) => {
    const { hasMembers } = await readGatewayUse(deps.reader);
    const keysReady = await areKeysReady(deps);
    return answer({ keys_ready: keysReady, has_members: hasMembers, faucet_url: deps.faucetUrl });
  },
};

async function isOpen({ deps, nowMs }: Call<'setup-link.read'>, token: string): Promise<boolean> {
  const expiresAtMs = await findSetupLink(deps.reader, hashOfToken(token));
  return (
    expiresAtMs !== null && expiresAtMs > nowMs && maySetUp(await readGatewayUse(deps.reader), deps.demo)
  );
}
