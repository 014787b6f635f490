// The set-up link, by the hash of its token: one at most. A used one has no row.
import type { GatewayUse } from '@ducat/core/access/setup-link';
import type { Reader, Tx } from '../../postgres/tx.ts';

/** Stores the link, which replaces an earlier one. */
export async function putSetupLink(tx: Tx, tokenHash: Buffer, expiresAtMs: number): Promise<void> {
  await tx.write(
    `INSERT INTO setup_link (token_hash, expires_at_ms) VALUES ($1, $2)
     ON CONFLICT (single) DO UPDATE SET token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
    [tokenHash, expiresAtMs],
  );
}

/** When the link of this token ends; null where there is no such link. */
export async function findSetupLink(reader: Reader, tokenHash: Buffer): Promise<number | null> {
  const [row] = await reader.read<{ expires_at_ms: number }>(
    'SELECT expires_at_ms FROM setup_link WHERE token_hash = $1',
    [tokenHash],
  );
  return row?.expires_at_ms ?? null;
}

/** Takes the link, so that it is used once; null as in `findSetupLink`. */
export async function takeSetupLink(tx: Tx, tokenHash: Buffer): Promise<number | null> {
  const [row] = await tx.write<{ expires_at_ms: number }>(
    'DELETE FROM setup_link WHERE token_hash = $1 RETURNING expires_at_ms',
    [tokenHash],
  );
  return row?.expires_at_ms ?? null;
}

export async function deleteSetupLink(tx: Tx): Promise<void> {
  await tx.write('DELETE FROM setup_link', []);
}

/** What the gateway has so far. `hasMembers` says whether any merchant has people. */
export async function readGatewayUse(reader: Reader): Promise<GatewayUse & { readonly hasMembers: boolean }> {
  const [row] = await reader.read<{ people: boolean; merchants: boolean; members: boolean }>(
    `SELECT EXISTS (SELECT FROM people) AS people, EXISTS (SELECT FROM merchants) AS merchants,
       EXISTS (SELECT FROM memberships) AS members`,
    [],
  );
  const { people = false, merchants = false, members = false } = row ?? {};
  return { hasPeople: people, hasMerchants: merchants, hasMembers: members };
}
