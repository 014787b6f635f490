// Invites a person: to a merchant with a rank, or as an operator.
import type { Tx } from '../../db/postgres/tx.ts';
import { insertInvitation, type Invitation } from '../../db/tables/access/invitations.ts';

/** Short, because others may find an old link in a mailbox. */
const HOLDS_MS = 3 * 24 * 60 * 60 * 1000;

export type NewInvitation = Omit<Invitation, 'expiresAtMs'> & {
  readonly tokenHash: Buffer;
  readonly createdAtMs: number;
};

/** Returns when the invitation expires, in Unix milliseconds. */
export async function createInvitation(tx: Tx, invitation: NewInvitation): Promise<number> {
  const expiresAtMs = invitation.createdAtMs + HOLDS_MS;
  await insertInvitation(tx, { ...invitation, expiresAtMs });
  return expiresAtMs;
}
