// Leases: which process does the work that only one may do, and the token that its transactions are held to.
import type { Reader, Tx } from './tx.ts';

export interface Lease {
  readonly token: number;
  /** Null while the lease is free. */
  readonly holder: string | null;
  /** Counts up while the holder lives. */
  readonly renewals: number;
}

/** The lease under which a chain is watched. */
export function watchLease(chain: string): string {
  return `watch-${chain}`;
}

/**
 * A frozen process must not keep its locks, and with them the lease, for long. No transaction under a lease waits for
 * anything but the database, so a pause of this length between two of its statements is no life.
 */
const MAX_PAUSE_MS = 5_000;

/**
 * Whether the lease is still held under this token. It is kept from being taken over until the transaction ends, so
 * after a take-over nothing is committed any more under an older token. Called before any other row is locked.
 */
export async function holdsLease(tx: Tx, name: string, token: number): Promise<boolean> {
  const rows = await tx.read<{ token: number }>(
    `SELECT token, set_config('idle_in_transaction_session_timeout', $2, true) FROM leases WHERE name = $1 FOR SHARE`,
    [name, `${MAX_PAUSE_MS}`],
  );
  // mark: commits-under-its-lease
  return rows[0]?.token === token;
}

/** The lease as it stands; null before anybody ever took it. */
export async function readLease(reader: Reader, name: string): Promise<Lease | null> {
  const rows = await reader.read<Lease>('SELECT token, holder, renewals FROM leases WHERE name = $1', [name]);
  return rows[0] ?? null;
}

/** The lease, locked until the transaction ends; null before anybody ever took it. */
export async function lockLease(tx: Tx, name: string): Promise<Lease | null> {
  const rows = await tx.read<Lease>('SELECT token, holder, renewals FROM leases WHERE name = $1 FOR UPDATE', [
    name,
  ]);
  return rows[0] ?? null;
}

/** Gives the lease to a process under this token; false where another process wrote the first row in between. */
export async function writeLease(
  tx: Tx,
  { name, token, holder, nowMs }: { name: string; token: number; holder: string; nowMs: number },
): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ($1, $2, $3, 0, $4)
     ON CONFLICT (name) DO UPDATE SET token = $2, holder = $3, renewals = 0, taken_at_ms = $4 WHERE leases.token < $2
     RETURNING token`,
    [name, token, holder, nowMs],
  );
  return rows.length > 0;
}

/** Shows that the holder lives; false where the lease is no longer held under this token. */
export async function countRenewal(tx: Tx, name: string, token: number): Promise<boolean> {
  const rows = await tx.write(
    'UPDATE leases SET renewals = renewals + 1 WHERE name = $1 AND token = $2 AND holder IS NOT NULL RETURNING token',
    [name, token],
  );
  return rows.length > 0;
}

/** Frees the lease where it is still held under this token; the token stays, for the next to raise. */
export async function freeLease(tx: Tx, name: string, token: number): Promise<boolean> {
  const rows = await tx.write(
    'UPDATE leases SET holder = NULL WHERE name = $1 AND token = $2 RETURNING token',
    [name, token],
  );
  return rows.length > 0;
}
