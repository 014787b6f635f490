// Who belongs to which merchant, with which rank.
import type { MemberRole } from '@ducat/core/access/permissions';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Membership {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly role: MemberRole;
  readonly isSuspended: boolean;
}

/** The person's merchants, by name. */
export async function listMemberships(reader: Reader, personId: string): Promise<readonly Membership[]> {
  const rows = await reader.read<{ merchant_id: string; name: string; role: MemberRole; suspended: boolean }>(
    `SELECT merchant_id, name, role, suspended FROM memberships JOIN merchants USING (merchant_id)
     WHERE person_id = $1 ORDER BY name, merchant_id LIMIT 1000`,
    [personId],
  );
  return rows.map(({ merchant_id: merchantId, name: merchantName, role, suspended: isSuspended }) => ({
    merchantId,
    merchantName,
    role,
    isSuspended,
  }));
}

export interface MerchantAsSeen {
  readonly merchantId: string;
  readonly role: MemberRole | null;
}

/** The merchant and the person's rank, which is null without a membership. Null if there is no such merchant. */
export async function findStanding(
  reader: Reader,
  merchantId: string,
  personId: string,
): Promise<MerchantAsSeen | null> {
  const [row] = await reader.read<{ merchant_id: string; role: MemberRole | null }>(
    `SELECT m.merchant_id, s.role FROM merchants m
       LEFT JOIN memberships s ON s.merchant_id = m.merchant_id AND s.person_id = $2
     WHERE m.merchant_id = $1`,
    [merchantId, personId],
  );
  return row === undefined ? null : { merchantId: row.merchant_id, role: row.role };
}

export interface Member {
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly sinceMs: number;
}

/** A merchant's people, the longest membership first. */
export async function listMembers(reader: Reader, merchantId: string): Promise<readonly Member[]> {
  const rows = await reader.read<{
    person_id: string;
    name: string;
    email: string;
    role: MemberRole;
    since_ms: number;
  }>(
    `SELECT s.person_id, p.name, p.email, s.role, s.since_ms FROM memberships s JOIN people p USING (person_id)
     WHERE s.merchant_id = $1 ORDER BY s.since_ms, s.person_id LIMIT 1000`,
    [merchantId],
  );
  return rows.map((row) => ({
    personId: row.person_id,
    name: row.name,
    email: row.email,
    role: row.role,
    sinceMs: row.since_ms,
  }));
}

/** All ranks of a merchant, locked until the transaction ends, so that its last owner is not removed twice over. */
export async function lockMembers(tx: Tx, merchantId: string): Promise<ReadonlyMap<string, MemberRole>> {
  await tx.read('SELECT 1 FROM merchants WHERE merchant_id = $1 FOR NO KEY UPDATE', [merchantId]);
  const rows = await tx.read<{ person_id: string; role: MemberRole }>(
    'SELECT person_id, role FROM memberships WHERE merchant_id = $1',
    [merchantId],
  );
  return new Map(rows.map((row) => [row.person_id, row.role]));
}

export interface NewMember {
  readonly merchantId: string;
  readonly personId: string;
  readonly role: MemberRole;
  readonly sinceMs: number;
}

/** Adds a member. False if the person is a member already, whose rank then stays. */
export async function insertMember(
  tx: Tx,
  { merchantId, personId, role, sinceMs }: NewMember,
): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO memberships (merchant_id, person_id, role, since_ms) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [merchantId, personId, role, sinceMs],
  );
  return rows.length > 0;
}

export async function updateRole(
  tx: Tx,
  merchantId: string,
  personId: string,
  role: MemberRole,
): Promise<void> {
  await tx.write('UPDATE memberships SET role = $3 WHERE merchant_id = $1 AND person_id = $2', [
    merchantId,
    personId,
    role,
  ]);
}

export async function deleteMember(tx: Tx, merchantId: string, personId: string): Promise<void> {
  await tx.write('DELETE FROM memberships WHERE merchant_id = $1 AND person_id = $2', [merchantId, personId]);
}
