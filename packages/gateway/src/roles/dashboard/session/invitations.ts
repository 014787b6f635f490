// Accepting the link of an invitation: it opens an account, or adds a membership to one.
import { isInvitationOpen } from '@ducat/core/access/sign-up';
import type { Tx } from '../../../db/postgres/tx.ts';
import { hasPassword } from '../../../db/tables/access/credentials.ts';
import { findInvitation, type Invitation } from '../../../db/tables/access/invitations.ts';
import { acceptInvitation, type Accepted, joinInvitation } from '../../../flows/access/accept-invitation.ts';
import { hashOfToken } from '../../../keys/tokens.ts';
import { newPersonId } from '../../../runtime/ids.ts';
import { answer, type Call, type Handlers, refusal, unknown } from '../call.ts';
import { mailMemberJoined } from '../notices/mail-notice.ts';
import { CLOSED } from '../sign-up/closed.ts';
import { beginSession } from './begin-session.ts';
import { passwordTrouble } from './password-trouble.ts';

export const invitationHandlers: Handlers<'invitation.read' | 'invitation.accept' | 'invitation.join'> = {
  'invitation.read': async (call, { token }) => {
    const open = await openInvitation(call, token);
    if (!open.ok) return open;
    const { email, merchantName, role } = open.value;
    const hasAccount = await hasPassword(call.deps.reader, email);
    return answer({ email, merchant_name: merchantName, role, has_account: hasAccount });
  },

  'invitation.accept': async (call, { token, name, password, language }) => {
    const { deps, nowMs } = call;
    const open = await openInvitation(call, token);
    if (!open.ok) return open;
    const { email } = open.value;
    const trouble = passwordTrouble(password, email);
    if (trouble !== null) return refusal('field-invalid', `password ${trouble}`, { field: 'password' });
    const passwordHash = await deps.passwords.hash(password);
    const person = { personId: newPersonId(deps.world), name, language };
    const stage = deps.demo ? 'signed-in' : 'enrolment-needed';
    const done = await deps
      .transact(async (tx) => {
        const accepted = await acceptInvitation(tx, {
          tokenHash: hashOfToken(token),
          person,
          passwordHash,
          nowMs,
        });
        if (accepted.outcome !== 'accepted') throw new NotAccepted(accepted.outcome);
        const { personId } = accepted;
        const opened = await beginSession(tx, call, {
          person: { personId, email },
          stage,
          stepUpUntilMs: 0,
          forgets: null,
          mailsNewDevice: false,
        });
        await mailJoined(tx, call, accepted);
        await call.record(tx, { ...recordOf(accepted.invitation), personId });
        return opened;
      })
      .catch(outcomeOf);
    if (done instanceof NotAccepted)
      return done.outcome === 'unknown'
        ? unknown('invitation')
        : refusal('conflict', 'this e-mail has an account: sign in and open the link again');
    call.setToken(done);
    return answer({ stage });
  },

  'invitation.join': async (call, { token }) => {
    const { deps, nowMs, session, record } = call;
    const { person } = session;
    const open = await openInvitation(call, token);
    if (!open.ok) return open;
    const done = await deps
      .transact(async (tx) => {
        const joined = await joinInvitation(tx, { tokenHash: hashOfToken(token), person, nowMs });
        if (joined.outcome !== 'accepted') throw new NotAccepted(joined.outcome);
        await mailJoined(tx, call, joined);
        await record(tx, recordOf(joined.invitation));
        return '';
      })
      .catch(outcomeOf);
    if (!(done instanceof NotAccepted)) return answer({});
    return done.outcome === 'is-member'
      ? refusal('conflict', 'you are a member of this merchant already')
      : unknown('invitation');
  },
};

/** Thrown in a transaction to roll it back, so that an invitation that was not accepted stays open. */
class NotAccepted extends Error {
  readonly outcome: 'unknown' | 'has-account' | 'is-member';

  constructor(outcome: NotAccepted['outcome']) {
    super(outcome);
    this.outcome = outcome;
  }
}

function outcomeOf(error: unknown): NotAccepted {
  if (error instanceof NotAccepted) return error;
  throw error;
}

async function openInvitation({ deps, nowMs }: Call<'invitation.read'>, token: string) {
  const found = await findInvitation(deps.reader, hashOfToken(token));
  if (found === null || found.expiresAtMs <= nowMs) return unknown('invitation');
  if (!isInvitationOpen(deps.signUp, found)) return CLOSED;
  return answer(found);
}

/** Sends no mail for a new operator, because operators are not mailed about each other. */
async function mailJoined(
  tx: Tx,
  call: Call<'invitation.accept' | 'invitation.join'>,
  { invitation: { merchantId, role }, personId }: Extract<Accepted, { outcome: 'accepted' }>,
): Promise<void> {
  if (merchantId !== null && role !== null) await mailMemberJoined(tx, call, { merchantId, personId, role });
}

function recordOf({ merchantId, role, invitationId }: Invitation) {
  return {
    subject: invitationId,
    detail: role ?? 'operator',
    ...(merchantId === null ? {} : { merchantId }),
  };
}
