// The first query on a new connection: whether its server takes writes, on which timeline, and what its settings promise.
import pg from 'pg';
import { type Durability, DURABILITY_COLUMNS } from './durability.ts';
import { NotPrimary, type Standing } from './primary-choice.ts';

/** With several hosts: timeout for the connection to one, and again for its answer to the probe. */
export const HOST_TIMEOUT_MS = 3_000;

/** What a server reports of itself. */
export interface HostReport {
  readonly standing: Standing;
  /** The process id of the session on the server. */
  readonly pid: number;
  readonly durability: Durability;
}

interface Row extends Durability {
  readonly refuses: boolean;
  readonly timeline: string;
  readonly pid: number;
}

/** Whether a host has to report its timeline, may leave it out, or is not asked for it. */
export type TimelineNeed = 'required' | 'optional' | 'none';

/** A managed server may refuse to report its timeline, or have none: no right, no function, no such feature. */
const TIMELINE_UNAVAILABLE = new Set(['42501', '42883', '0A000', '55000']);

const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';
const NO_TIMELINE = `''`;

/** Throws where the server does not respond, and where a required timeline is missing. */
export async function probeHost(client: pg.Client, need: TimelineNeed): Promise<HostReport> {
  if (need === 'none') return query(client, NO_TIMELINE);
  try {
    return await query(client, TIMELINE);
  } catch (error) {
    const isUnavailable = error instanceof pg.DatabaseError && TIMELINE_UNAVAILABLE.has(error.code ?? '');
    if (need === 'required' || !isUnavailable) throw error;
    return query(client, NO_TIMELINE);
  }
}

/**
 * Sets three things in the same round trip. Warnings are sent whatever the role or the address configure, because a
 * warning is the only sign of a COMMIT that no standby has. The server drops a client that acknowledges nothing for 20
 * s, because the client's transaction keeps its locks until then. The isolation level is the one that our locks expect.
 * The timeline is read from the current WAL file, because the control file is older than a promotion.
 */
async function query(client: pg.Client, timelineSql: string): Promise<HostReport> {
  const statement = {
    text: `SELECT set_config('client_min_messages', 'warning', false), set_config('tcp_user_timeout', '20000', false),
        set_config('default_transaction_isolation', 'read committed', false),
        pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "refuses",
        CASE WHEN pg_is_in_recovery() THEN '' ELSE ${timelineSql} END AS "timeline",
        pg_backend_pid() AS "pid", ${DURABILITY_COLUMNS}`,
    query_timeout: HOST_TIMEOUT_MS,
  };
  const { rows } = await client.query<Row>(statement);
  const [row] = rows;
  if (row === undefined) throw new NotPrimary('this server does not report what it is');
  const { refuses, timeline, pid, ...durability } = row;
  return {
    standing: { refuses, timeline: timeline === '' ? 0 : Number.parseInt(timeline, 16) },
    pid,
    durability,
  };
}
