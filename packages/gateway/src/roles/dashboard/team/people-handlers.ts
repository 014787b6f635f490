// For operators: everybody who may sign in, further operators, lost second factors, and people who left.
import type { peopleOperations } from '@ducat/contract/dashboard/operator/people';
import { hasSecondFactor } from '@ducat/core/access/second-factors';
import type { Tx } from '../../../db/postgres/tx.ts';
import { deleteInvitation, listInvitations } from '../../../db/tables/access/invitations.ts';
import { listMemberships } from '../../../db/tables/access/memberships.ts';
import {
  findPersonByEmail,
  type ListedPerson,
  listPeople,
  lockOperators,
} from '../../../db/tables/access/people.ts';
import { createInvitation } from '../../../flows/access/create-invitation.ts';
import { removePerson } from '../../../flows/access/remove-person.ts';
import { resetAuthenticator } from '../../../flows/access/reset-authenticator.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { timeText } from '../../../mail/time-text.ts';
import { newInvitationId } from '../../../runtime/ids.ts';
import { type Answer, answer, type Call, type Handlers, refusal, unknown } from '../call.ts';
import { DEFAULT_ROWS, nextOf } from '../merchant-scope.ts';
import { mailInvitation } from '../notices/mail-invitation.ts';
import { mailNotice } from '../notices/mail-notice.ts';
import { alreadyMade, madeOnce } from '../clicks/made-once.ts';
import { CLOSED } from '../sign-up/closed.ts';
import { seconds } from '../texts.ts';

type Name = (typeof peopleOperations)[number]['name'];

export const peopleHandlers: Handlers<Name> = {
  'people.list': async ({ deps, nowMs }, { cursor = '', limit = DEFAULT_ROWS }) => {
    const [people, invitations] = await Promise.all([
      listPeople(deps.reader, { behind: cursor, limit }),
      listInvitations(deps.reader, null, nowMs),
    ]);
    return answer({
      people: people.map(presentPerson),
      next_cursor: nextOf(people, limit, ({ personId }) => personId),
      invitations: invitations.map(({ invitationId, email, expiresAtMs }) => ({
        invitation_id: invitationId,
        email,
        expires_at: seconds(expiresAtMs),
      })),
    });
  },

  'people.invite': async (call, request) => {
    const { deps, nowMs, session } = call;
    const { email } = request;
    if (deps.signUp === 'closed') return CLOSED;
    const token = newToken(deps.world);
    const invitation = {
      invitationId: newInvitationId(deps.world),
      tokenHash: hashOfToken(token),
      email,
      merchantId: null,
      role: null,
      invitedBy: session.person.personId,
      createdAtMs: nowMs,
    };
    const click = { operation: 'people.invite', request, subject: invitation.invitationId };
    return madeOnce(call, click, {
      make: (tx) =>
        asOperatorStill(tx, call, async () => {
          if ((await findPersonByEmail(tx, email))?.isOperator === true)
            return refusal('conflict', 'this person is an operator already');
          const untilMs = await createInvitation(tx, invitation);
          const link = await mailInvitation(tx, call, { ...invitation, merchantName: null, token, untilMs });
          await call.record(tx, { subject: invitation.invitationId, detail: `operator ${email}` });
          return answer(link);
        }),
      again: async () =>
        alreadyMade('this invitation', 'its link. Withdraw it and invite anew if nobody kept the link'),
    });
  },

  'people.withdraw-invitation': (call, { invitation_id: invitationId }) =>
    asOperator(call, async (tx) => {
      const taken = await deleteInvitation(tx, null, invitationId);
      if (taken === null) return unknown('invitation');
      await call.record(tx, { subject: invitationId, detail: `operator ${taken.email}` });
      return answer({});
    }),

  'people.reset': (call, { person_id: personId, reason }) =>
    onAnother(call, personId, async (tx, person) => {
      // Without a second factor there is nothing to reset. A repeated request is refused and does not end the session that
      // sets one up.
      if (!hasSecondFactor(person))
        return refusal('conflict', 'this account has no second factor: its next sign-in sets one up');
      await resetAuthenticator(tx, personId);
      const notice = { kind: 'sign-in-reset', url: call.deps.url, at: timeText(call.nowMs) } as const;
      await mailNotice(tx, call, person, notice);
      await call.record(tx, { subject: personId, detail: reason });
      return answer({});
    }),

  'people.remove': (call, { person_id: personId, reason }) =>
    onAnother(call, personId, async (tx) => {
      const memberships = await listMemberships(tx, personId);
      const orphaned = await removePerson(tx, personId);
      if (orphaned.length > 0)
        return refusal('conflict', `the only owner of ${orphaned.join(', ')}: it needs another owner first`);
      // The log of each merchant gets an entry that says why a member is gone.
      for (const { merchantId } of memberships)
        await call.record(tx, { subject: personId, merchantId, detail: reason });
      await call.record(tx, { subject: personId, detail: reason });
      return answer({});
    }),
};

function presentPerson({ personId, name, email, isOperator, ...rest }: ListedPerson) {
  return {
    person_id: personId,
    name,
    email,
    is_operator: isOperator,
    has_authenticator: rest.hasAuthenticator,
    passkeys: rest.passkeys,
    memberships: rest.memberships.map(({ merchantId, merchantName, role }) => ({
      merchant_id: merchantId,
      merchant_name: merchantName,
      role,
    })),
  };
}

/** Locks the operators and checks the person again, so that an operator who is being removed invites and removes no one. */
function asOperator<T>(call: Call<'people.invite'>, act: (tx: Tx) => Promise<Answer<T>>): Promise<Answer<T>> {
  return call.deps.transact((tx) => asOperatorStill(tx, call, () => act(tx)));
}

async function asOperatorStill<T>(
  tx: Tx,
  { session }: Pick<Call<'people.invite'>, 'session'>,
  act: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  // mark: operators-one-at-a-time
  const isStill = (await lockOperators(tx)).includes(session.person.personId);
  return isStill ? act() : refusal('not-permitted', 'this is for operators');
}

/**
 * Refuses a person's own account, so that one operator remains and no session removes the second factor that protects it.
 */
function onAnother(
  call: Call<'people.reset'>,
  personId: string,
  act: (tx: Tx, person: ListedPerson) => Promise<Answer<object>>,
): Promise<Answer<object>> {
  if (personId === call.session.person.personId)
    return Promise.resolve(refusal('conflict', 'another operator does this'));
  return asOperator(call, async (tx) => {
    const [person] = await listPeople(tx, { behind: '', personId, limit: 1 });
    return person === undefined ? unknown('person') : act(tx, person);
  });
}
