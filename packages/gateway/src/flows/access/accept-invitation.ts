// Accepts an invitation: makes a new account, or adds a membership or the operator's role to an account.
import type { Tx } from '../../db/postgres/tx.ts';
import { type Invitation, takeInvitation } from '../../db/tables/access/invitations.ts';
import { insertMember } from '../../db/tables/access/memberships.ts';
import { lockPerson, makeOperator, type NewPerson, type Person } from '../../db/tables/access/people.ts';
import { openAccount } from './open-account.ts';

export interface AcceptInvitation {
  readonly tokenHash: Buffer;
  /** The person with the id for a new account. */
  readonly person: Omit<NewPerson, 'email' | 'isOperator'>;
  readonly passwordHash: string;
  readonly nowMs: number;
}

export type Accepted =
  | { readonly outcome: 'accepted'; readonly invitation: Invitation; readonly personId: string }
  | { readonly outcome: 'unknown' | 'has-account' };

/** Makes the account that the invitation is for, and uses the invitation up. */
export async function acceptInvitation(
  tx: Tx,
  { tokenHash, person, passwordHash, nowMs }: AcceptInvitation,
): Promise<Accepted> {
  const invitation = await takeInvitation(tx, tokenHash);
  if (invitation === null || invitation.expiresAtMs <= nowMs) return { outcome: 'unknown' };
  const { email, merchantId } = invitation;
  const wanted = { ...person, email, isOperator: merchantId === null };
  const personId = await openAccount(tx, { person: wanted, passwordHash, nowMs });
  if (personId === null) return { outcome: 'has-account' };
  await join(tx, invitation, personId, nowMs);
  return { outcome: 'accepted', invitation, personId };
}

export interface JoinInvitation {
  readonly tokenHash: Buffer;
  readonly person: Person;
  readonly nowMs: number;
}

/** Adds the membership or role of the invitation to the account with its e-mail. */
export async function joinInvitation(
  tx: Tx,
  { tokenHash, person, nowMs }: JoinInvitation,
): Promise<Accepted | { readonly outcome: 'is-member' }> {
  const { personId } = person;
  // The person is locked before the invitation, because removing a person deletes the person's invitations.
  await lockPerson(tx, personId);
  const invitation = await takeInvitation(tx, tokenHash);
  const isOpen = invitation !== null && invitation.expiresAtMs > nowMs && invitation.email === person.email;
  if (!isOpen) return { outcome: 'unknown' };
  const isNew = await join(tx, invitation, personId, nowMs);
  return isNew ? { outcome: 'accepted', invitation, personId } : { outcome: 'is-member' };
}

async function join(tx: Tx, invitation: Invitation, personId: string, nowMs: number): Promise<boolean> {
  const { merchantId, role } = invitation;
  if (merchantId !== null && role !== null)
    return insertMember(tx, { merchantId, personId, role, sinceMs: nowMs });
  await makeOperator(tx, personId);
  return true;
}
