// Removes a person who left: ends memberships and sessions, and leaves no password that fits.
import type { Tx } from '../../db/postgres/tx.ts';
import { endPassword, forgetSecondFactors } from '../../db/tables/access/credentials.ts';
import { deleteOtherSessions } from '../../db/tables/access/dashboard-sessions.ts';
import { deleteAllInvitationsOf } from '../../db/tables/access/invitations.ts';
import { deletePasswordLinkOf } from '../../db/tables/access/mailed-links.ts';
import { deleteMember, listMemberships, lockMembers } from '../../db/tables/access/memberships.ts';
import { dismissOperator, lockPerson } from '../../db/tables/access/people.ts';
import { isSuspendedSignUp } from '../../db/tables/apps.ts';

/**
 * Returns the merchants that would be left without an owner; nothing is done then. Empty where the person was removed. A
 * suspended merchant from a sign-up may be left without one, because a person who signs up in bad faith is its only owner.
 */
export async function removePerson(tx: Tx, personId: string): Promise<readonly string[]> {
  await lockPerson(tx, personId);
  const memberships = await listMemberships(tx, personId);
  const orphaned: string[] = [];
  for (const { merchantId } of memberships) {
    const members = await lockMembers(tx, merchantId);
    const owners = [...members].filter(([, role]) => role === 'owner').map(([owner]) => owner);
    // The merchant is locked with its members, so that it cannot be resumed meanwhile.
    const isLast = owners.length === 1 && owners[0] === personId;
    if (isLast && !(await isSuspendedSignUp(tx, merchantId))) orphaned.push(merchantId);
  }
  if (orphaned.length > 0) return orphaned;
  for (const { merchantId } of memberships) {
    await deleteMember(tx, merchantId, personId);
  }
  await deleteAllInvitationsOf(tx, personId);
  await dismissOperator(tx, personId);
  await endPassword(tx, personId);
  await forgetSecondFactors(tx, personId);
  await deleteOtherSessions(tx, personId, null);
  await deletePasswordLinkOf(tx, personId);
  return [];
}
