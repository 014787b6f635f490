// The people of the demo dashboard: its operator and owner, and an approver of payouts. Made once, one printed password.
import { findPersonByEmail } from '@ducat/gateway/db/tables/access/people';
import { readGatewayUse } from '@ducat/gateway/db/tables/access/setup-link';
import { acceptInvitation, joinInvitation } from '@ducat/gateway/flows/access/accept-invitation';
import { createInvitation } from '@ducat/gateway/flows/access/create-invitation';
import { createPasswords } from '@ducat/gateway/keys/passwords';
import { hashOfToken, newToken } from '@ducat/gateway/keys/tokens';
import { newInvitationId, newPersonId } from '@ducat/gateway/runtime/ids';
import type { Setup } from '../../setup.ts';

export const DEMO_EMAIL = 'demo@ducat.local';
export const APPROVER_EMAIL = 'approver@ducat.local';

/**
 * Adds the two people as if the command line had invited them. A demo that people have set up themselves gets neither.
 * A demo of an earlier version gets the approver beside its owner. Returns whether they are there.
 */
export async function ensureDemoPeople(
  setup: Pick<Setup, 'database' | 'world'>,
  merchantId: string,
  password: string,
): Promise<boolean> {
  const { reader } = setup.database;
  const isThere = async (email: string) => (await findPersonByEmail(reader, email)) !== null;
  const hasOwner = await isThere(DEMO_EMAIL);
  if (!hasOwner && (await readGatewayUse(reader)).hasPeople) return false;
  if (!hasOwner) {
    const owner = { email: DEMO_EMAIL, name: 'Demo', isOperator: true, role: 'owner' } as const;
    await addPerson(setup, merchantId, owner, password);
  }
  if (!(await isThere(APPROVER_EMAIL))) {
    const approver = { email: APPROVER_EMAIL, name: 'Approver', isOperator: false, role: 'finance' } as const;
    await addPerson(setup, merchantId, approver, password);
  }
  return true;
}

interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly role: 'owner' | 'finance';
}

async function addPerson(
  { database, world }: Pick<Setup, 'database' | 'world'>,
  merchantId: string,
  { email, name, isOperator, role }: DemoPerson,
  password: string,
): Promise<void> {
  const nowMs = world.nowMs();
  const passwordHash = await createPasswords(world).hash(password);
  const person = { personId: newPersonId(world), email, name, isOperator };
  await database.transact(async (tx) => {
    const invite = async (to: { merchantId: string; role: DemoPerson['role'] } | null) => {
      const tokenHash = hashOfToken(newToken(world));
      const named = {
        invitationId: newInvitationId(world),
        email,
        ...(to ?? { merchantId: null, role: null }),
      };
      await createInvitation(tx, { ...named, tokenHash, invitedBy: null, createdAtMs: nowMs });
      return tokenHash;
    };
    const membership = { merchantId, role };
    const first = await invite(isOperator ? null : membership);
    await acceptInvitation(tx, { tokenHash: first, person, passwordHash, nowMs });
    if (isOperator) await joinInvitation(tx, { tokenHash: await invite(membership), person, nowMs });
  });
}
