// Invitations that were not accepted yet, by the hash of the token in their link. A used one has no row.
import type { MemberRole } from '@ducat/core/access/permissions';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Invitation {
  readonly invitationId: string;
  readonly email: string;
  /** Both set for a member of a merchant, both null for an operator. */
  readonly merchantId: string | null;
  readonly role: MemberRole | null;
  /** Null for the command line. */
  readonly invitedBy: string | null;
  readonly expiresAtMs: number;
}

interface Row {
  readonly invitation_id: string;
  readonly email: string;
  readonly merchant_id: string | null;
  readonly role: MemberRole | null;
  readonly invited_by: string | null;
  readonly expires_at_ms: number;
}

const toInvitation = (row: Row): Invitation => ({
  invitationId: row.invitation_id,
  email: row.email,
  merchantId: row.merchant_id,
  role: row.role,
  invitedBy: row.invited_by,
  expiresAtMs: row.expires_at_ms,
});

export async function insertInvitation(
  tx: Tx,
  invitation: Invitation & { readonly tokenHash: Buffer; readonly createdAtMs: number },
): Promise<void> {
  const { invitationId, tokenHash, email, merchantId, role, invitedBy, createdAtMs, expiresAtMs } =
    invitation;
  await tx.write(
    `INSERT INTO invitations (invitation_id, token_hash, email, merchant_id, role, invited_by, created_at_ms,
       expires_at_ms)
     VALUES ($1, $2, lower($3), $4, $5, $6, $7, $8)`,
    [invitationId, tokenHash, email, merchantId, role, invitedBy, createdAtMs, expiresAtMs],
  );
}

/** The invitation with its merchant's name, which is null for an operator. Null if no link has this token. */
export async function findInvitation(
  reader: Reader,
  tokenHash: Buffer,
): Promise<(Invitation & { readonly merchantName: string | null }) | null> {
  const [row] = await reader.read<Row & { merchant_name: string | null }>(
    `SELECT i.*, m.name AS merchant_name FROM invitations i LEFT JOIN merchants m USING (merchant_id)
     WHERE i.token_hash = $1`,
    [tokenHash],
  );
  return row === undefined ? null : { ...toInvitation(row), merchantName: row.merchant_name };
}

/** Takes the invitation, so that it is used once; null where it is not there any more. */
export async function takeInvitation(tx: Tx, tokenHash: Buffer): Promise<Invitation | null> {
  const [row] = await tx.write<Row>('DELETE FROM invitations WHERE token_hash = $1 RETURNING *', [tokenHash]);
  return row === undefined ? null : toInvitation(row);
}

/** The invitations of a merchant, or with null those of operators, that are valid after `nowMs`, newest first. */
export async function listInvitations(
  reader: Reader,
  merchantId: string | null,
  nowMs: number,
): Promise<readonly Invitation[]> {
  const rows = await reader.read<Row>(
    `SELECT * FROM invitations WHERE (merchant_id = $1 OR $1::text IS NULL AND merchant_id IS NULL) AND expires_at_ms > $2
     ORDER BY created_at_ms DESC, invitation_id LIMIT 1000`,
    [merchantId, nowMs],
  );
  return rows.map(toInvitation);
}

/** Deletes an invitation and returns it. Null if the merchant, or with null the gateway, has no invitation with this id. */
export async function deleteInvitation(
  tx: Tx,
  merchantId: string | null,
  invitationId: string,
): Promise<Invitation | null> {
  const [row] = await tx.write<Row>(
    'DELETE FROM invitations WHERE (merchant_id = $1 OR $1::text IS NULL AND merchant_id IS NULL) AND invitation_id = $2 RETURNING *',
    [merchantId, invitationId],
  );
  return row === undefined ? null : toInvitation(row);
}

/**
 * Deletes the invitations of a merchant that a member sent or received. The member's new rank may not give the sent
 * ones, and accepting a received one would undo the change of rank.
 */
export async function deleteInvitationsOf(tx: Tx, merchantId: string, personId: string): Promise<void> {
  await tx.write(
    `DELETE FROM invitations WHERE merchant_id = $1
       AND (invited_by = $2 OR email = (SELECT lower(email) FROM people WHERE person_id = $2))`,
    [merchantId, personId],
  );
}

/** Deletes all invitations that a removed person sent or received, those of operators too. */
export async function deleteAllInvitationsOf(tx: Tx, personId: string): Promise<void> {
  await tx.write(
    `DELETE FROM invitations
     WHERE invited_by = $1 OR email = (SELECT lower(email) FROM people WHERE person_id = $1)`,
    [personId],
  );
}
