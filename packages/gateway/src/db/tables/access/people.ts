// People, as the dashboard knows them.
import type { MemberRole } from '@ducat/core/access/permissions';
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

export interface NewPerson extends Person {
  /** The language of the browser that opened the account. */
  readonly language?: string | undefined;
}

/** Whether the person was added: an e-mail has one account. */
export async function insertPerson(tx: Tx, person: NewPerson, createdAtMs: number): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO people (person_id, email, name, is_operator, created_at_ms, language)
     VALUES ($1, lower($2), $3, $4, $5, $6)
     ON CONFLICT (email) DO NOTHING RETURNING 1`,
    [person.personId, person.email, person.name, person.isOperator, createdAtMs, person.language ?? null],
  );
  return rows.length > 0;
}

/** Updates a removed person who comes back. */
export async function updatePerson(
  tx: Tx,
  { personId, name, isOperator, language }: Omit<NewPerson, 'email'>,
): Promise<void> {
  await tx.write(
    'UPDATE people SET name = $2, is_operator = $3, language = coalesce($4, language) WHERE person_id = $1',
    [personId, name, isOperator, language ?? null],
  );
}

/** Locks a person until the transaction ends, so that removing the person and giving the person rights cannot overlap. */
export async function lockPerson(tx: Tx, personId: string): Promise<void> {
  await tx.read('SELECT 1 FROM people WHERE person_id = $1 FOR NO KEY UPDATE', [personId]);
}

/** The language that the person with this e-mail last used; null where none is known. */
export async function readLanguage(reader: Reader, email: string): Promise<string | null> {
  const [row] = await reader.read<{ readonly language: string | null }>(
    'SELECT language FROM people WHERE email = lower($1)',
    [email],
  );
  return row?.language ?? null;
}

export async function writeLanguage(tx: Tx, personId: string, language: string): Promise<void> {
  await tx.write('UPDATE people SET language = $2 WHERE person_id = $1 AND language IS DISTINCT FROM $2', [
    personId,
    language,
  ]);
}

export async function makeOperator(tx: Tx, personId: string): Promise<void> {
  await tx.write('UPDATE people SET is_operator = true WHERE person_id = $1', [personId]);
}

export async function dismissOperator(tx: Tx, personId: string): Promise<void> {
  await tx.write('UPDATE people SET is_operator = false WHERE person_id = $1', [personId]);
}

/** The operators, locked in the order of their ids, so that none of them is dismissed meanwhile. */
export async function lockOperators(tx: Tx): Promise<readonly string[]> {
  const rows = await tx.write<{ person_id: string }>(
    'SELECT person_id FROM people WHERE is_operator ORDER BY person_id FOR NO KEY UPDATE',
    [],
  );
  return rows.map((row) => row.person_id);
}

/** The e-mails of the operators. */
export async function listOperatorEmails(reader: Reader): Promise<readonly string[]> {
  const rows = await reader.read<{ email: string }>(
    'SELECT email FROM people WHERE is_operator ORDER BY person_id LIMIT 100',
    [],
  );
  return rows.map(({ email }) => email);
}

export interface ListedPerson extends Person {
  readonly hasAuthenticator: boolean;
  readonly passkeys: number;
  readonly memberships: readonly {
    readonly merchantId: string;
    readonly merchantName: string;
    readonly role: MemberRole;
  }[];
}

export interface WhichPeople {
  /** The last person of the page before; "" for the first page. */
  readonly behind: string;
  /** Only this person. */
  readonly personId?: string;
  readonly limit: number;
}

/** People, oldest first. */
export async function listPeople(
  reader: Reader,
  { behind, personId, limit }: WhichPeople,
): Promise<readonly ListedPerson[]> {
  const rows = await reader.read<
    PersonRow & {
      has_authenticator: boolean;
      passkeys: number;
      memberships: ListedPerson['memberships'];
    }
  >(
    `SELECT p.*, c.totp_secret IS NOT NULL AS has_authenticator,
       (SELECT count(*) FROM passkeys k WHERE k.person_id = p.person_id) AS passkeys, (
       SELECT coalesce(jsonb_agg(jsonb_build_object('merchantId', m.merchant_id, 'merchantName', m.name, 'role', s.role)
         ORDER BY m.merchant_id), '[]') FROM memberships s JOIN merchants m USING (merchant_id)
       WHERE s.person_id = p.person_id
     ) AS memberships
     FROM people p JOIN credentials c USING (person_id)
     WHERE p.person_id > $1 AND ($2::text IS NULL OR p.person_id = $2) ORDER BY p.person_id LIMIT $3`,
    [behind, personId ?? null, limit],
  );
  return rows.map((row) => ({
    ...toPerson(row),
    hasAuthenticator: row.has_authenticator,
    passkeys: row.passkeys,
    memberships: row.memberships,
  }));
}
