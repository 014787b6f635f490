// A pool of connections to the primary, and how one is taken from it.
import pg from 'pg';
import { Outage } from '../../runtime/outage.ts';
import type { InDoubtCommits } from './in-doubt-commits.ts';
import type { Hosts } from './primary-client.ts';
import type { StatementNames } from './statement-names.ts';

/** How long a connection, or a place for one, is waited for. */
export const CONNECTION_WAIT_MS = 10_000;

/** How long a connection lives at most, so that the primary and its settings are looked up anew that often. */
const MAX_LIFETIME_S = 60;

// int8 holds block numbers, times and row numbers, all of them far below 2^53; numeric stays text.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** A host that vanished silently must not stop a role, and a frozen process must not keep a lock. */
export const TIMEOUTS = {
  types,
  // A COMMIT may wait for its standby for long; a host that died meanwhile is noticed 10 s after this.
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
  statement_timeout: 60_000,
  lock_timeout: 20_000,
  idle_in_transaction_session_timeout: 60_000,
  query_timeout: 90_000,
};

/** The driver reports by these words alone that no place in the pool came free. */
const NO_PLACE = 'timeout exceeded when trying to connect';

export interface Pool {
  readonly pool: pg.Pool;
  readonly hosts: Hosts;
  readonly inDoubt: InDoubtCommits;
  readonly names: StatementNames;
}

export function openPool(parts: Omit<Pool, 'pool'>, settings: pg.PoolConfig): Pool {
  const { hosts, inDoubt } = parts;
  const pool = new pg.Pool({ Client: hosts.Client, maxLifetimeSeconds: MAX_LIFETIME_S, ...settings });
  // A new connection shows where the primary is now: other connections may still go to an old one that responds, and a
  // COMMIT in doubt may be on another server.
  pool.on('connect', () => {
    if (hosts.urls.length > 1 || inDoubt.holds) inDoubt.discoverPrimary();
  });
  // A connection that breaks while idle is dropped by the pool; the next user meets the outage.
  pool.on('error', () => undefined);
  return { pool, ...parts };
}

/** Tries every host once, beginning with the last known primary, and that one again at the end. */
export async function connect({ pool, hosts, inDoubt }: Pool): Promise<pg.PoolClient> {
  const failures = [...(await hosts.discoveryFailures())];
  if (failures.length > 0) throw unreachable(failures);
  for (;;) {
    const turns = hosts.turns();
    try {
      return await pool.connect();
    } catch (error) {
      failures.push(error);
      const isFull = error instanceof Error && error.message === NO_PLACE;
      if (!isFull && failures.length <= hosts.urls.length && hosts.turns() !== turns) continue;
      // No connection came back while we waited: they may all wait for a primary that has been replaced.
      if (isFull) inDoubt.discoverPrimary();
      throw unreachable(failures);
    }
  }
}

/** Waiting does not help where every host refuses the login. Another host may yet be promoted. */
function unreachable(failures: readonly unknown[]): Outage {
  const refusal = failures.find(isRefusedLogin);
  const retryable = !failures.every(isRefusedLogin);
  const cause = refusal ?? failures.at(-1);
  return new Outage(`the database cannot be reached: ${reasonOf(cause)}`, { retryable, cause });
}

/** What the server or the network says; a name with several addresses fails with a code alone. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason was given';
  if (cause.message !== '') return cause.message;
  return 'code' in cause ? String(cause.code) : cause.name;
}

/** A wrong user, password or database name. */
function isRefusedLogin(error: unknown): boolean {
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  return state.startsWith('28') || state === '3D000';
}
