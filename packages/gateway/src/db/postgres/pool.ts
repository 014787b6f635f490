// A pool of connections to the primary, and how one is taken from it.
import pg from 'pg';
import { Outage } from '../../runtime/outage.ts';
import type { InDoubtCommits } from './in-doubt-commits.ts';
import type { Hosts } from './primary-client.ts';
import type { StatementNames } from './statement-names.ts';

/** How long to wait for a connection, or for a place in the pool. */
export const CONNECTION_WAIT_MS = 10_000;

/**
 * Maximum age of a connection, so that the primary and its settings are looked up again at least that often. A new
 * connection plans all of its statements anew, which costs a quiet gateway more than the statements themselves.
 */
const MAX_LIFETIME_S = 60;
/** The same where `LongWork` looks for the primary each minute: a higher timeline cuts connections of any age. */
const MAX_WATCHED_LIFETIME_S = 600;

/**
 * How long a connection may be idle. Idle roles need several at once, each six seconds or fifteen, and should find them
 * open. Among several hosts an idle connection counts as a sign that its host lives, so it is given up soon.
 */
const MAX_IDLE_MS = { oneHost: 60_000, severalHosts: 10_000 };

// int8 holds block numbers, times and row numbers, all of them far below 2^53; numeric stays text.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** A host that vanished silently must not stop a role, and a frozen process must not keep a lock. */
export const TIMEOUTS = {
  types,
  // A COMMIT may wait long for its standby. Keepalive starts after 30 s and notices a dead host about 10 s later.
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
  statement_timeout: 60_000,
  lock_timeout: 20_000,
  idle_in_transaction_session_timeout: 60_000,
  query_timeout: 90_000,
};

/** The only sign of a full pool: the driver has no error code for it. */
const NO_PLACE = 'timeout exceeded when trying to connect';

export interface Pool {
  readonly pool: pg.Pool;
  readonly hosts: Hosts;
  readonly inDoubt: InDoubtCommits;
  readonly names: StatementNames;
}

export interface PoolParts extends Omit<Pool, 'pool'> {
  /** Whether the primary is looked for each minute. */
  readonly isWatched: boolean;
}

export function openPool({ isWatched, ...parts }: PoolParts, settings: pg.PoolConfig): Pool {
  const { hosts, inDoubt } = parts;
  const idleTimeoutMillis = hosts.urls.length > 1 ? MAX_IDLE_MS.severalHosts : MAX_IDLE_MS.oneHost;
  const pool = new pg.Pool({ Client: hosts.Client, idleTimeoutMillis, ...settings });
  // The pool reads this for each new connection, after the server was asked for its timeline.
  Object.defineProperty(pool.options, 'maxLifetimeSeconds', {
    get: () => (isWatched && hosts.reportsTimeline() ? MAX_WATCHED_LIFETIME_S : MAX_LIFETIME_S),
  });
  // A new connection shows which host is the primary now. Other connections may still go to an old primary that
  // responds, and a COMMIT in doubt may be on another server.
  pool.on('connect', () => {
    if (hosts.urls.length > 1 || inDoubt.holds) inDoubt.discoverPrimary();
  });
  // A connection that breaks while idle is dropped by the pool; the next user meets the outage.
  pool.on('error', () => undefined);
  return { pool, ...parts };
}

/** Tries every host once, beginning with the last known primary, and tries that one again at the end. */
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

/** Retryable unless every host refuses the login. If only some hosts refuse it, another one may yet be promoted. */
function unreachable(failures: readonly unknown[]): Outage {
  const refusal = failures.find(isRefusedLogin);
  const retryable = !failures.every(isRefusedLogin);
  const cause = refusal ?? failures.at(-1);
  return new Outage(`the database cannot be reached: ${reasonOf(cause)}`, { retryable, cause });
}

/** The message of the server or the network. A host name with several addresses fails with a code and no message. */
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
