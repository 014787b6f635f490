// Makes the account that a link opens. A removed person gets the old account back, because the logs name its id.
import type { Tx } from '../../db/postgres/tx.ts';
import { insertCredentials, renewPassword } from '../../db/tables/access/credentials.ts';
import { insertPerson, type NewPerson, updatePerson } from '../../db/tables/access/people.ts';

export interface OpenAccount {
  /** The person with the id for a new account. */
  readonly person: NewPerson;
  readonly passwordHash: string;
  readonly nowMs: number;
}

/** Returns the person's id; null where this e-mail has an account already. */
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
