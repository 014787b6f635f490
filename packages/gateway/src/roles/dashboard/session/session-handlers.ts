// The handlers of signing in and out, the second factor, the password, sessions and invitations.
import type { sessionOperations } from '@ducat/contract/dashboard/session';
import { permissionsOf } from '@ducat/core/access/permissions';
import { countRecoveryCodes } from '../../../db/tables/access/credentials.ts';
import { listMemberships } from '../../../db/tables/access/memberships.ts';
import { writeLanguage } from '../../../db/tables/access/people.ts';
import { type Handlers, answer } from '../call.ts';
import { seconds } from '../texts.ts';
import { authenticatorHandlers } from './authenticator.ts';
import { invitationHandlers } from './invitations.ts';
import { factorsOf } from './may-enrol.ts';
import { passwordHandlers } from './password.ts';
import { sessionListHandlers } from './session-list.ts';
import { signInHandlers } from './sign-in.ts';

type Name = (typeof sessionOperations)[number]['name'];

export const sessionHandlers: Handlers<Name> = {
  ...signInHandlers,
  ...authenticatorHandlers,
  ...passwordHandlers,
  ...sessionListHandlers,
  ...invitationHandlers,

  'session.choose-language': async ({ deps, session }, { language }) => {
    await deps.transact((tx) => writeLanguage(tx, session.person.personId, language), 'one-statement');
    return answer({});
  },

  'session.read': async ({ deps, session, nowMs }) => {
    const { demo, reader, signUp, mails } = deps;
    const here = {
      demo,
      sign_up: signUp,
      password_links: mails !== null,
      docs_url: `${deps.publicUrl}/docs`,
      now: seconds(nowMs),
    };
    const takesPasskeys = deps.passkeys.rpId !== null;
    if (session === null) {
      const factors = { has_authenticator: false, passkeys: 0, takes_passkeys: takesPasskeys };
      return answer({ stage: 'signed-out', ...here, factors, person: null });
    }
    const { stage, stepUpUntilMs } = session.session;
    const { personId, email, name, isOperator } = session.person;
    const { hasAuthenticator, passkeys } = await factorsOf(reader, personId);
    const factors = { has_authenticator: hasAuthenticator, passkeys, takes_passkeys: takesPasskeys };
    if (stage !== 'signed-in') return answer({ stage, ...here, factors, person: null });
    const [codesLeft, memberships] = await Promise.all([
      countRecoveryCodes(reader, personId),
      listMemberships(reader, personId),
    ]);
    return answer({
      stage,
      ...here,
      factors,
      person: {
        person_id: personId,
        email,
        name,
        is_operator: isOperator,
        has_authenticator: hasAuthenticator,
        recovery_codes_left: codesLeft,
        step_up_until: Math.floor(stepUpUntilMs / 1000),
        memberships: memberships.map(({ merchantId, merchantName, role, isSuspended }) => ({
          merchant_id: merchantId,
          merchant_name: merchantName,
          role,
          permissions: [...permissionsOf(role)],
          is_suspended: isSuspended,
        })),
      },
    });
  },
};
