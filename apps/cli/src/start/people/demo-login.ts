// The person who signs in to the dashboard of the demo: operator and owner, made once, with a password that is printed.
import { findPersonByEmail } from '@ducat/gateway/db/tables/access/people';
import { readGatewayUse } from '@ducat/gateway/db/tables/access/setup-link';
import { acceptInvitation, joinInvitation } from '@ducat/gateway/flows/access/accept-invitation';
import { createInvitation } from '@ducat/gateway/flows/access/create-invitation';
import { createPasswords } from '@ducat/gateway/keys/passwords';
import { hashOfToken, newToken } from '@ducat/gateway/keys/tokens';
import { newInvitationId, newPersonId } from '@ducat/gateway/runtime/ids';
import type { Setup } from '../../setup.ts';

export const DEMO_EMAIL = 'demo@ducat.local';

/**
 * Adds the person as one who was invited by the command line would be. A demo that people have set up themselves gets no
 * such person. Returns whether there is one.
 */
export async function ensureDemoLogin(
  { database, world }: Setup,
  merchantId: string,
  password: string,
): Promise<boolean> {
  if ((await findPersonByEmail(database.reader, DEMO_EMAIL)) !== null) return true;
  if ((await readGatewayUse(database.reader)).hasPeople) return false;
  const nowMs = world.nowMs();
  const passwordHash = await createPasswords(world).hash(password);
  const person = { personId: newPersonId(world), email: DEMO_EMAIL, name: 'Demo', isOperator: true };
  await database.transact(async (tx) => {
    const invite = async (owned: string | null) => {
      const tokenHash = hashOfToken(newToken(world));
      const role = owned === null ? null : ('owner' as const);
      const named = { invitationId: newInvitationId(world), email: DEMO_EMAIL, merchantId: owned, role };
      await createInvitation(tx, { ...named, tokenHash, invitedBy: null, createdAtMs: nowMs });
      return tokenHash;
    };
    await acceptInvitation(tx, { tokenHash: await invite(null), person, passwordHash, nowMs });
    await joinInvitation(tx, { tokenHash: await invite(merchantId), person, nowMs });
  });
  return true;
}
