// A pool of connections to the primary, and how one of them is had.
import pg from 'pg';
import { Outage } from '../../runtime/outage.ts';
import type { LateCommits } from './late-commits.ts';
import type { Hosts } from './primary-client.ts';

/** How long a connection, or a place for one, is waited for. */
export const CONNECTION_WAIT_MS = 10_000;

/** So often at least the hosts are asked anew which one is the primary, and what its settings promise. */
const MAX_LIFETIME_S = 60;

// int8 holds block numbers, times and row numbers, all of them far below 2^53; numeric stays text.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** A host that vanished without a word must not hold a role, and a frozen process must not hold a lock. */
export const PATIENCE = {
  types,
  // A COMMIT may wait for its standby for long; a host that died meanwhile is noticed 10 s after this.
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
  statement_timeout: 60_000,
  lock_timeout: 20_000,
  idle_in_transaction_session_timeout: 60_000,
  query_timeout: 90_000,
};

/** The driver has no other sign of it than these words: no place in the pool came free. */
const NO_PLACE = 'timeout exceeded when trying to connect';

export interface Pool {
  readonly pool: pg.Pool;
  readonly hosts: Hosts;
  readonly late: LateCommits;
}

export function openPool(parts: Omit<Pool, 'pool'>, settings: pg.PoolConfig): Pool {
  const { hosts, late } = parts;
  const pool = new pg.Pool({ Client: hosts.Client, maxLifetimeSeconds: MAX_LIFETIME_S, ...settings });
  // The one it leads to may be an old primary that still answers; or another than the one that has a late COMMIT.
  pool.on('connect', () => {
    if (hosts.urls.length > 1 || late.holds) late.look();
  });
  // A connection that breaks while idle is dropped by the pool; whoever needs one next meets the outage.
  pool.on('error', () => undefined);
  return { pool, ...parts };
}

/** Tries every host once, the one that was the primary last before the others, and that one again at the end. */
export async function connect({ pool, hosts, late }: Pool): Promise<pg.PoolClient> {
  const failures = [...(await hosts.firstLook())];
  if (failures.length > 0) throw unreachable(failures);
  for (;;) {
    const turns = hosts.turns();
    try {
      return await pool.connect();
    } catch (error) {
      failures.push(error);
      const isFull = error instanceof Error && error.message === NO_PLACE;
      if (!isFull && failures.length <= hosts.urls.length && hosts.turns() !== turns) continue;
      // Nobody gave one back for as long as we waited: what all of them wait for may have another primary by now.
      if (isFull) late.look();
      throw unreachable(failures);
    }
  }
}

/** Waiting does not help where every host refuses the login; one that is none yet may be promoted. */
function unreachable(failures: readonly unknown[]): Outage {
  const refusal = failures.find(isRefusedLogin);
  const retryable = !failures.every(isRefusedLogin);
  return new Outage('the database cannot be reached', { retryable, cause: refusal ?? failures.at(-1) });
}

/** A wrong user, password or database name. */
function isRefusedLogin(error: unknown): boolean {
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  return state.startsWith('28') || state === '3D000';
}
