// Makes the account that a link opens. A person who was removed gets the old one back, by whose id the logs know the person.
import type { Tx } from '../../db/postgres/tx.ts';
import { insertCredentials, renewPassword } from '../../db/tables/access/credentials.ts';
import { insertPerson, type NewPerson, updatePerson } from '../../db/tables/access/people.ts';

export interface OpenAccount {
  /** With the id of a new account. */
  readonly person: NewPerson;
  readonly passwordHash: string;
  readonly nowMs: number;
}

/** The person's id; null where there is an account of this e-mail. */
export async function openAccount(
  tx: Tx,
  { person, passwordHash, nowMs }: OpenAccount,
): Promise<string | null> {
  const isNew = await insertPerson(tx, person, nowMs);
  const personId = isNew ? person.personId : await renewPassword(tx, person.email, passwordHash);
  if (personId === null) return null;
  if (isNew) await insertCredentials(tx, personId, passwordHash);
  else await updatePerson(tx, { ...person, personId });
  return personId;
}
