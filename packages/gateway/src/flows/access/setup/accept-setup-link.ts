// Makes the account of the first operator by the set-up link.
import { maySetUp } from '@ducat/core/access/setup-link';
import type { Tx } from '../../../db/postgres/tx.ts';
import { insertCredentials } from '../../../db/tables/access/credentials.ts';
import { insertPerson, type NewPerson } from '../../../db/tables/access/people.ts';
import { readGatewayUse, takeSetupLink } from '../../../db/tables/access/setup-link.ts';

export interface AcceptSetupLink {
  readonly tokenHash: Buffer;
  readonly person: Omit<NewPerson, 'isOperator'>;
  readonly passwordHash: string;
  readonly isDemo: boolean;
  readonly nowMs: number;
}

/**
 * Returns whether the account was made. The link is taken first, so that a second use at the same moment waits for this
 * one. Whether the gateway is in use is checked after that. A refused link is gone too, because it would be refused again.
 */
export async function acceptSetupLink(tx: Tx, accept: AcceptSetupLink): Promise<boolean> {
  const { tokenHash, person, passwordHash, isDemo, nowMs } = accept;
  const expiresAtMs = await takeSetupLink(tx, tokenHash);
  if (expiresAtMs === null || expiresAtMs <= nowMs) return false;
  if (!maySetUp(await readGatewayUse(tx), isDemo)) return false;
  if (!(await insertPerson(tx, { ...person, isOperator: true }, nowMs))) return false;
  await insertCredentials(tx, person.personId, passwordHash);
  return true;
}
