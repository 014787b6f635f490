// Gives a member of a merchant another rank, or none.
import { mayChangeRank, type MemberRole } from '@ducat/core/access/permissions';
import type { Tx } from '../../db/postgres/tx.ts';
import { deleteInvitationsOf } from '../../db/tables/access/invitations.ts';
import { deleteMember, lockMembers, updateRole } from '../../db/tables/access/memberships.ts';

export interface ChangeRank {
  readonly merchantId: string;
  /** The person who asks. */
  readonly actorId: string;
  readonly personId: string;
  /** The rank that the asker saw; null where it is not compared. */
  readonly before: MemberRole | null;
  /** The new rank; null to remove the member. */
  readonly after: MemberRole | null;
}

export type RankOutcome = 'done' | 'unknown' | 'changed' | 'not-permitted' | 'last-owner';

export async function changeRank(tx: Tx, change: ChangeRank): Promise<RankOutcome> {
  const { merchantId, actorId, personId, before, after } = change;
  const members = await lockMembers(tx, merchantId);
  const [actor, current] = [members.get(actorId), members.get(personId)];
  if (current === undefined) return 'unknown';
  if (before !== null && before !== current) return 'changed';
  const leaves = actorId === personId && after === null;
  if (!leaves && (actor === undefined || !mayChangeRank(actor, current, after))) return 'not-permitted';
  const owners = [...members.values()].filter((role) => role === 'owner').length;
  if (current === 'owner' && after !== 'owner' && owners === 1) return 'last-owner';
  if (after === null) await deleteMember(tx, merchantId, personId);
  else await updateRole(tx, merchantId, personId, after);
  await deleteInvitationsOf(tx, merchantId, personId);
  return 'done';
}
