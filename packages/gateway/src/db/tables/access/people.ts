// People, as the dashboard knows them.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Person {
  readonly personId: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
}

interface PersonRow {
  readonly person_id: string;
  readonly email: string;
  readonly name: string;
  readonly is_operator: boolean;
}

const toPerson = (row: PersonRow): Person => ({
  personId: row.person_id,
  email: row.email,
  name: row.name,
  isOperator: row.is_operator,
});

export async function findPersonByEmail(reader: Reader, email: string): Promise<Person | null> {
  const [row] = await reader.read<PersonRow>('SELECT * FROM people WHERE email = lower($1)', [email]);
  return row === undefined ? null : toPerson(row);
}

/** Whether the person was added: an e-mail has one account. */
export async function insertPerson(tx: Tx, person: Person, createdAtMs: number): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO people (person_id, email, name, is_operator, created_at_ms) VALUES ($1, lower($2), $3, $4, $5)
     ON CONFLICT (email) DO NOTHING RETURNING 1`,
    [person.personId, person.email, person.name, person.isOperator, createdAtMs],
  );
  return rows.length > 0;
}

export async function makeOperator(tx: Tx, personId: string): Promise<void> {
  await tx.write('UPDATE people SET is_operator = true WHERE person_id = $1', [personId]);
}

export async function dismissOperator(tx: Tx, personId: string): Promise<void> {
  await tx.write('UPDATE people SET is_operator = false WHERE person_id = $1', [personId]);
}

export interface ListedPerson extends Person {
  readonly hasAuthenticator: boolean;
  readonly passkeys: number;
  /** As "merchant role", sorted. */
  readonly memberships: readonly string[];
}

/** Everybody, oldest first, at most `limit`. */
export async function listPeople(reader: Reader, limit: number): Promise<readonly ListedPerson[]> {
  const rows = await reader.read<
    PersonRow & { has_authenticator: boolean; passkeys: number; memberships: readonly string[] }
  >(
    `SELECT p.*, c.totp_secret IS NOT NULL AS has_authenticator,
       (SELECT count(*) FROM passkeys k WHERE k.person_id = p.person_id) AS passkeys, ARRAY(
       SELECT m.merchant_id || ' ' || m.role FROM memberships m WHERE m.person_id = p.person_id ORDER BY 1
     ) AS memberships
     FROM people p JOIN credentials c USING (person_id) ORDER BY p.person_id LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({
    ...toPerson(row),
    hasAuthenticator: row.has_authenticator,
    passkeys: row.passkeys,
    memberships: row.memberships,
  }));
}
