// A member of a merchant invites a person, with a rank that the member may give.
import { mayChangeRank, type MemberRole } from '@ducat/core/access/permissions';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockMembers } from '../../db/tables/access/memberships.ts';
import { isMerchantSuspended } from '../../db/tables/apps.ts';
import { createInvitation, type NewInvitation } from './create-invitation.ts';

export interface MemberInvitation extends NewInvitation {
  readonly merchantId: string;
  readonly role: MemberRole;
  readonly invitedBy: string;
}

/**
 * Returns when the invitation expires, in Unix milliseconds; null where the inviting member may not give this rank. Ranks
 * are compared under the lock on the merchant. Otherwise an invitation could remain of a member who is being removed, or
 * of a merchant that is being suspended.
 */
export async function inviteMember(
  tx: Tx,
  invitation: MemberInvitation,
): Promise<number | 'suspended' | null> {
  const { merchantId, role, invitedBy } = invitation;
  const actor = (await lockMembers(tx, merchantId)).get(invitedBy);
  if (actor === undefined || !mayChangeRank(actor, null, role)) return null;
  // mark: suspended-invites-nobody
  if (await isMerchantSuspended(tx, merchantId)) return 'suspended';
  return createInvitation(tx, invitation);
}
