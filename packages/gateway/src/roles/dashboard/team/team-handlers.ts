// A merchant's people: seen, invited, given another rank, removed.
import type { teamOperations } from '@ducat/contract/dashboard/team';
import { deleteInvitation, listInvitations } from '../../../db/tables/access/invitations.ts';
import { listMembers } from '../../../db/tables/access/memberships.ts';
import { readMerchantName } from '../../../db/tables/apps.ts';
import { changeRank, type ChangeRank, type RankOutcome } from '../../../flows/access/change-rank.ts';
import { inviteMember } from '../../../flows/access/invite-member.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { newInvitationId } from '../../../runtime/ids.ts';
import { type Answer, answer, type Call, type Handlers, refusal, unknown } from '../call.ts';
import { alreadyMade, madeOnce } from '../clicks/made-once.ts';
import { refuseSuspended, SUSPENDED } from '../merchant-scope.ts';
import { mailInvitation } from '../notices/mail-invitation.ts';
import { mailRoleChange } from '../notices/mail-notice.ts';
import { CLOSED } from '../sign-up/closed.ts';

type Name = (typeof teamOperations)[number]['name'];

export const teamHandlers: Handlers<Name> = {
  'team.list': async ({ reader, merchantId, nowMs }) => {
    const [members, invitations] = await Promise.all([
      listMembers(reader, merchantId),
      listInvitations(reader, merchantId, nowMs),
    ]);
    return answer({
      members: members.map(({ personId, name, email, role, sinceMs }) => ({
        person_id: personId,
        name,
        email,
        role,
        since: Math.floor(sinceMs / 1000),
      })),
      invitations: invitations.flatMap(({ invitationId, email, role, expiresAtMs }) =>
        role === null
          ? []
          : [{ invitation_id: invitationId, email, role, expires_at: Math.floor(expiresAtMs / 1000) }],
      ),
    });
  },

  'team.invite': async (call, request) => {
    const { deps, nowMs, session, merchantId, record } = call;
    const { email, role } = request;
    if (deps.signUp === 'closed') return CLOSED;
    const suspended = await refuseSuspended(call);
    if (suspended !== null) return suspended;
    const token = newToken(deps.world);
    const invitation = {
      invitationId: newInvitationId(deps.world),
      tokenHash: hashOfToken(token),
      email,
      merchantId,
      role,
      invitedBy: session.person.personId,
      createdAtMs: nowMs,
    };
    const click = { operation: 'team.invite', request, subject: invitation.invitationId };
    return madeOnce(call, click, {
      make: async (tx) => {
        const untilMs = await inviteMember(tx, invitation);
        if (untilMs === 'suspended') return SUSPENDED;
        if (untilMs === null) return refusal('not-permitted', 'an owner invites owners and admins');
        const merchantName = await readMerchantName(tx, merchantId);
        const link = await mailInvitation(tx, call, { ...invitation, merchantName, token, untilMs });
        await record(tx, { subject: invitation.invitationId, detail: `${role} ${email}` });
        return answer(link);
      },
      again: async () =>
        alreadyMade('this invitation', 'its link. Withdraw it and invite anew if nobody kept the link'),
    });
  },

  'team.withdraw-invitation': async ({ deps, merchantId, record }, { invitation_id: invitationId }) => {
    const outcome = await deps.transact(async (tx) => {
      const taken = await deleteInvitation(tx, merchantId, invitationId);
      if (taken !== null) await record(tx, { subject: invitationId, detail: taken.role ?? '' });
      return taken;
    });
    return outcome === null ? unknown('invitation') : answer({});
  },

  'team.change-role': async (call, { person_id: personId, role_before: before, role }) =>
    rank(call, { personId, before, after: role }),

  'team.remove': async (call, { person_id: personId }) => rank(call, { personId, before: null, after: null }),
};

async function rank(
  call: Call<'team.remove'>,
  { personId, before, after }: Pick<ChangeRank, 'personId' | 'before' | 'after'>,
): Promise<Answer<object>> {
  const { deps, session, merchantId, record } = call;
  const outcome = await deps.transact(async (tx) => {
    const members = await listMembers(tx, merchantId);
    const change = { merchantId, actorId: session.person.personId, personId, before, after };
    const done = await changeRank(tx, change);
    if (done !== 'done') return done;
    await mailRoleChange(tx, call, { members, personId, role: after });
    await record(tx, { subject: personId, detail: after ?? 'removed' });
    return done;
  });
  return RANK_ANSWERS[outcome];
}

const RANK_ANSWERS: Readonly<Record<RankOutcome, Answer<object>>> = {
  done: answer({}),
  unknown: unknown('member'),
  changed: refusal('changed', 'the role was changed meanwhile: look again'),
  'not-permitted': refusal('not-permitted', 'an owner changes owners and admins'),
  'last-owner': refusal('conflict', 'a merchant keeps one owner'),
};
