// Leases: which process does the work that only one may do, and the token that its transactions are held to.
import type { Reader, Tx } from '../postgres/tx.ts';

/**
 * What a holder commits under. The token alone is not enough, because after a failover that lost a take-over two
 * holders may have the same token.
 */
export interface HeldLease {
  readonly token: number;
  readonly holder: string;
}

/** A held lease with its name. */
export interface NamedLease extends HeldLease {
  readonly name: string;
}

export interface Lease {
  readonly token: number;
  /** Null while the lease is free. */
  readonly holder: string | null;
  /** Counts up while the holder lives. */
  readonly renewals: number;
}

/**
 * Whether a lease is unchanged between two reads. The token alone is not enough, because the same one may be given twice.
 */
export function isSameLease(one: Lease, other: Lease): boolean {
  return one.token === other.token && one.holder === other.holder && one.renewals === other.renewals;
}

/** The lease under which a chain is watched. */
export function watchLease(chain: string): string {
  return `watch-${chain}`;
}

/** The lease under which a chain's outgoing transactions are prepared, signed and sent. */
export function payLease(chain: string): string {
  return `pay-${chain}`;
}

/** The lease under which the collector decides what of a chain's deposit addresses is collected. */
export function collectLease(chain: string): string {
  return `collect-${chain}`;
}

/** Whether the process of that name has the lease now. Only for work that does no harm if it was lost a moment ago. */
export async function isHeldBy(reader: Reader, name: string, holder: string): Promise<boolean> {
  const rows = await reader.read('SELECT FROM leases WHERE name = $1 AND holder = $2', [name, holder]);
  return rows.length > 0;
}

/**
 * The longest pause between two statements of a transaction under a lease. Such a transaction waits for nothing but the
 * database, so a process that pauses longer is frozen. It must not keep its locks, and with them the lease.
 */
const MAX_PAUSE_MS = 5_000;

/** How long a take-over waits for a transaction under the lease: longer than the server lets one of them pause. */
const TAKE_OVER_WAITS_MS = MAX_PAUSE_MS + 3_000;

/** An arbitrary class of advisory locks, which mark the connections that are in a transaction under a lease. */
const UNDER_LEASE = 7_382_242;

/**
 * Whether this holder still has the lease under its token. The lease cannot be taken over until the transaction ends,
 * so after a take-over nothing more is committed under an older token. Renewals go on meanwhile. Call it before any
 * other row is locked.
 */
export async function holdsLease(tx: Tx, name: string, held: HeldLease): Promise<boolean> {
  const rows = await tx.read<{ isHeld: boolean }>(
    `SELECT token = $2 AND holder IS NOT DISTINCT FROM $3 AS "isHeld",
       set_config('idle_in_transaction_session_timeout', $4, true),
       pg_advisory_xact_lock_shared($5, hashtext($1))
     FROM leases WHERE name = $1 FOR KEY SHARE`,
    [name, held.token, held.holder, `${MAX_PAUSE_MS}`, UNDER_LEASE],
  );
  // mark: commits-under-its-lease
  return rows[0]?.isHeld === true;
}

/**
 * Ends the connections in a transaction under the lease whose server waits for the client to read; returns how many.
 * This is for a holder that froze while the server was sending to it: its transaction is not idle, so it would keep the
 * lease. The transaction is rolled back, as if the process had been killed. A COMMIT that waits for its standby is left
 * alone, because ending it would show what no standby has. Throws if our role may not end sessions.
 */
export async function endTransactionsUnder(tx: Tx, name: string): Promise<number> {
  const rows = await tx.write<{ ended: boolean }>(
    `SELECT pg_terminate_backend(pid) AS ended FROM pg_locks
     JOIN pg_stat_activity USING (pid) WHERE wait_event = 'ClientWrite' AND locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND classid = $2::bigint AND objid::bigint = hashtext($1)::bigint & 4294967295 AND objsubid = 2
       AND pid <> pg_backend_pid()`,
    [name, UNDER_LEASE],
  );
  return rows.filter(({ ended }) => ended).length;
}

/** The lease; null if it was never taken. */
export async function readLease(reader: Reader, name: string): Promise<Lease | null> {
  const rows = await reader.read<Lease>('SELECT token, holder, renewals FROM leases WHERE name = $1', [name]);
  return rows[0] ?? null;
}

export interface ListedLease extends Lease {
  readonly name: string;
  readonly takenAtMs: number;
}

/** Every lease that was ever taken, by its name. */
export function readLeases(reader: Reader): Promise<readonly ListedLease[]> {
  return reader.read<ListedLease>(
    'SELECT name, token, holder, renewals, taken_at_ms AS "takenAtMs" FROM leases ORDER BY name',
    [],
  );
}

/** The lease, locked until the transaction ends; null while it was never taken. Waits for transactions under the lease. */
export async function lockLease(tx: Tx, name: string): Promise<Lease | null> {
  await tx.read(
    `SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)`,
    [`${TAKE_OVER_WAITS_MS}`, `${MAX_PAUSE_MS}`],
  );
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

/**
 * Shows that these holders live; returns the names of the leases that they still have under their tokens. A lease that is
 * being taken over is not waited for, so that it holds up none of the others.
 */
export async function countRenewals(tx: Tx, leases: readonly NamedLease[]): Promise<ReadonlySet<string>> {
  const rows = await tx.write<{ name: string }>(
    `WITH asked AS (
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) AS asked (name, token, holder)
     ), free AS (
       SELECT l.name FROM leases l JOIN asked USING (name, token, holder) FOR NO KEY UPDATE OF l SKIP LOCKED
     ), renewed AS (
       UPDATE leases l SET renewals = renewals + 1 FROM free WHERE l.name = free.name
     )
     SELECT name FROM leases JOIN asked USING (name, token, holder)`,
    [leases.map(({ name }) => name), leases.map(({ token }) => token), leases.map(({ holder }) => holder)],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Frees the lease if this holder still has it under this token. The token stays, and the next holder raises it. */
export async function freeLease(tx: Tx, name: string, { token, holder }: HeldLease): Promise<boolean> {
  const rows = await tx.write(
    'UPDATE leases SET holder = NULL WHERE name = $1 AND token = $2 AND holder = $3 RETURNING token',
    [name, token, holder],
  );
  return rows.length > 0;
}
