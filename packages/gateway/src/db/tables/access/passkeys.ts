// Passkeys of people, and the challenges that their browsers are to sign.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Passkey {
  readonly passkeyId: string;
  readonly personId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  /** Null before the first use. */
  readonly usedAtMs: number | null;
}

interface Row {
  readonly passkey_id: string;
  readonly person_id: string;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly created_at_ms: number;
  readonly used_at_ms: number | null;
}

/** A person's passkeys, oldest first. */
export async function listPasskeys(reader: Reader, personId: string): Promise<readonly Passkey[]> {
  const rows = await reader.read<Row>(
    'SELECT * FROM passkeys WHERE person_id = $1 ORDER BY created_at_ms, passkey_id LIMIT 100',
    [personId],
  );
  return rows.map((row) => ({
    passkeyId: row.passkey_id,
    personId: row.person_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports,
    name: row.name,
    createdAtMs: row.created_at_ms,
    usedAtMs: row.used_at_ms,
  }));
}

export async function countPasskeys(reader: Reader, personId: string): Promise<number> {
  const [row] = await reader.read<{ count: number }>(
    'SELECT count(*) AS count FROM passkeys WHERE person_id = $1',
    [personId],
  );
  return row?.count ?? 0;
}

/** Adds a passkey. False if the credential is known already, because it belongs to one person for ever. */
export async function insertPasskey(tx: Tx, passkey: Omit<Passkey, 'usedAtMs'>): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO passkeys (passkey_id, person_id, public_key, counter, transports, name, created_at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1`,
    [
      passkey.passkeyId,
      passkey.personId,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.name,
      passkey.createdAtMs,
    ],
  );
  return rows.length > 0;
}

/** Whether the signature counter rose, which that of a copied passkey does not. A passkey without a counter stays at 0. */
export async function countUse(
  tx: Tx,
  { passkeyId, personId }: Pick<Passkey, 'passkeyId' | 'personId'>,
  counter: number,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE passkeys SET counter = $3, used_at_ms = $4
     WHERE passkey_id = $1 AND person_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0)) RETURNING 1`,
    [passkeyId, personId, counter, nowMs],
  );
  return rows.length > 0;
}

export async function renamePasskey(
  tx: Tx,
  { passkeyId, personId, name }: Pick<Passkey, 'passkeyId' | 'personId' | 'name'>,
): Promise<boolean> {
  const rows = await tx.write(
    'UPDATE passkeys SET name = $3 WHERE passkey_id = $1 AND person_id = $2 RETURNING 1',
    [passkeyId, personId, name],
  );
  return rows.length > 0;
}

/** Deletes a passkey and returns its name; null if the person has none of this id. */
export async function deletePasskey(tx: Tx, personId: string, passkeyId: string): Promise<string | null> {
  const [row] = await tx.write<{ name: string }>(
    'DELETE FROM passkeys WHERE passkey_id = $1 AND person_id = $2 RETURNING name',
    [passkeyId, personId],
  );
  return row?.name ?? null;
}

export type ChallengePurpose = 'add' | 'show';

export interface Challenge {
  readonly sessionId: string;
  readonly challenge: string;
  readonly purpose: ChallengePurpose;
  readonly expiresAtMs: number;
}

/** Stores the challenge, which replaces the one before it. */
export async function putChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  await tx.write(
    `INSERT INTO passkey_challenges (session_id, challenge, purpose, expires_at_ms) VALUES ($1, $2, $3, $4)
     ON CONFLICT (session_id) DO UPDATE
       SET challenge = EXCLUDED.challenge, purpose = EXCLUDED.purpose, expires_at_ms = EXCLUDED.expires_at_ms`,
    [challenge.sessionId, challenge.challenge, challenge.purpose, challenge.expiresAtMs],
  );
}

/** Takes the challenge, so that it is used once; null if the session has no valid one for this purpose. */
export async function takeChallenge(
  tx: Tx,
  { sessionId, purpose, nowMs }: Pick<Challenge, 'sessionId' | 'purpose'> & { readonly nowMs: number },
): Promise<string | null> {
  const [row] = await tx.write<{ challenge: string; purpose: string; expires_at_ms: number }>(
    'DELETE FROM passkey_challenges WHERE session_id = $1 RETURNING challenge, purpose, expires_at_ms',
    [sessionId],
  );
  const isOpen = row !== undefined && row.purpose === purpose && row.expires_at_ms > nowMs;
  return isOpen ? row.challenge : null;
}
