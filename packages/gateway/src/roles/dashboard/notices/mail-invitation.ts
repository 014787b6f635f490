// The link of an invitation: mailed where mail is sent, and shown to the person who invites.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { MemberRole } from '@ducat/core/access/permissions';
import type { Tx } from '../../../db/postgres/tx.ts';
import { timeText } from '../../../mail/time-text.ts';
import type { Call } from '../call.ts';
import { mailNotice } from './mail-notice.ts';

interface OpenInvitation {
  readonly email: string;
  /** Null in the invitation of an operator, as are name and role. */
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly role: MemberRole | null;
  readonly token: string;
  readonly untilMs: number;
}

export async function mailInvitation(
  tx: Tx,
  call: Pick<Call<'team.invite'>, 'deps' | 'nowMs' | 'session'>,
  { email, merchantId, merchantName, role, token, untilMs }: OpenInvitation,
): Promise<ResponseOf<'team.invite'>> {
  const url = `${call.deps.url}/invitation#${token}`;
  const invitedBy = call.session.person.email;
  const named = { merchantName, role, invitedBy, url, untilMs, until: timeText(untilMs) };
  const isMailed = await mailNotice(tx, call, { email, merchantId }, { kind: 'invitation', ...named });
  return { invitation_url: url, expires_at: Math.floor(untilMs / 1000), is_mailed: isMailed };
}
