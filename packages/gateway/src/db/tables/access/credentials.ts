// What a person signs in with: a password's hash, the sealed secret of an authenticator, recovery codes.
import type { CodeState } from '@ducat/core/payout/one-time-code';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Credentials {
  readonly passwordHash: string;
  /** Sealed; null without an authenticator. */
  readonly totpSecret: Buffer | null;
  /** Sealed; a new secret that waits for its first code. */
  readonly totpPending: Buffer | null;
  readonly codes: CodeState;
}

interface Row {
  readonly password_hash: string;
  readonly totp_secret: Buffer | null;
  readonly totp_pending: Buffer | null;
  readonly totp_last_step: number;
  readonly totp_failures: number;
  readonly totp_locked_until_ms: number;
}

const toCredentials = (row: Row): Credentials => ({
  passwordHash: row.password_hash,
  totpSecret: row.totp_secret,
  totpPending: row.totp_pending,
  codes: {
    lastStep: row.totp_last_step,
    failures: row.totp_failures,
    lockedUntilMs: row.totp_locked_until_ms,
  },
});

export async function readCredentials(reader: Reader, personId: string): Promise<Credentials | null> {
  const [row] = await reader.read<Row>('SELECT * FROM credentials WHERE person_id = $1', [personId]);
  return row === undefined ? null : toCredentials(row);
}

/** Locked until the transaction ends, so that codes of one person are checked one after the other. */
export async function lockCredentials(tx: Tx, personId: string): Promise<Credentials | null> {
  const [row] = await tx.read<Row>('SELECT * FROM credentials WHERE person_id = $1 FOR UPDATE', [personId]);
  return row === undefined ? null : toCredentials(row);
}

export async function insertCredentials(tx: Tx, personId: string, passwordHash: string): Promise<void> {
  await tx.write('INSERT INTO credentials (person_id, password_hash) VALUES ($1, $2)', [
    personId,
    passwordHash,
  ]);
}

/** The password hash of a removed person. No real hash has this form. */
const NO_PASSWORD = '';

/** Afterwards the person cannot sign in by a password. */
export async function endPassword(tx: Tx, personId: string): Promise<void> {
  await updatePassword(tx, personId, NO_PASSWORD);
}

/** Gives a removed person a new password; returns the person's id, or null if no removed person has this e-mail. */
export async function renewPassword(tx: Tx, email: string, passwordHash: string): Promise<string | null> {
  const [row] = await tx.write<{ readonly person_id: string }>(
    `UPDATE credentials c SET password_hash = $2 FROM people p
     WHERE p.person_id = c.person_id AND p.email = lower($1) AND c.password_hash = $3 RETURNING c.person_id`,
    [email, passwordHash, NO_PASSWORD],
  );
  return row?.person_id ?? null;
}

/** Whether a person with this e-mail can sign in. A removed person cannot. */
export async function hasPassword(reader: Reader, email: string): Promise<boolean> {
  const rows = await reader.read(
    'SELECT 1 FROM people JOIN credentials USING (person_id) WHERE email = lower($1) AND password_hash <> $2',
    [email, NO_PASSWORD],
  );
  return rows.length > 0;
}

export async function updatePassword(tx: Tx, personId: string, passwordHash: string): Promise<void> {
  await tx.write('UPDATE credentials SET password_hash = $2 WHERE person_id = $1', [personId, passwordHash]);
}

/** Writes what using a code changed. */
export async function updateCodeState(tx: Tx, personId: string, codes: CodeState): Promise<void> {
  await tx.write(
    `UPDATE credentials SET totp_last_step = $2, totp_failures = $3, totp_locked_until_ms = $4
     WHERE person_id = $1`,
    [personId, codes.lastStep, codes.failures, codes.lockedUntilMs],
  );
}

/** Null removes the pending secret. */
export async function updatePendingSecret(tx: Tx, personId: string, sealed: Buffer | null): Promise<void> {
  await tx.write('UPDATE credentials SET totp_pending = $2 WHERE person_id = $1', [personId, sealed]);
}

/** Makes the pending secret the valid one, with its own last step and without failures. */
export async function adoptPendingSecret(tx: Tx, personId: string, lastStep: number): Promise<void> {
  await tx.write(
    `UPDATE credentials SET totp_secret = totp_pending, totp_pending = NULL, totp_last_step = $2,
       totp_failures = 0, totp_locked_until_ms = 0
     WHERE person_id = $1`,
    [personId, lastStep],
  );
}

/** Takes authenticator, passkeys and recovery codes away: the next sign-in begins with a new second factor. */
export async function forgetSecondFactors(tx: Tx, personId: string): Promise<void> {
  await tx.write(
    `UPDATE credentials SET totp_secret = NULL, totp_pending = NULL, totp_last_step = -1, totp_failures = 0,
       totp_locked_until_ms = 0
     WHERE person_id = $1`,
    [personId],
  );
  await tx.write('DELETE FROM recovery_codes WHERE person_id = $1', [personId]);
  await tx.write('DELETE FROM passkeys WHERE person_id = $1', [personId]);
}

/** Replaces all recovery codes of a person. */
export async function replaceRecoveryCodes(
  tx: Tx,
  personId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.write('DELETE FROM recovery_codes WHERE person_id = $1', [personId]);
  for (const hash of hashes) {
    await tx.write('INSERT INTO recovery_codes (person_id, code_hash) VALUES ($1, $2)', [personId, hash]);
  }
}

/** Uses a recovery code; false if there is no such unused code. */
export async function useRecoveryCode(
  tx: Tx,
  personId: string,
  hash: Buffer,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE recovery_codes SET used_at_ms = $3 WHERE person_id = $1 AND code_hash = $2 AND used_at_ms IS NULL
     RETURNING 1`,
    [personId, hash, nowMs],
  );
  return rows.length > 0;
}

export async function countRecoveryCodes(reader: Reader, personId: string): Promise<number> {
  const [row] = await reader.read<{ count: number }>(
    'SELECT count(*) AS count FROM recovery_codes WHERE person_id = $1 AND used_at_ms IS NULL',
    [personId],
  );
  return row?.count ?? 0;
}
