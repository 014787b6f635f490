// What a new connection asks its server: whether it takes writes, on which timeline, and what its settings promise.
import pg from 'pg';
import { type Durability, DURABILITY_COLUMNS } from './durability.ts';
import { NotPrimary, type Standing } from './primary-choice.ts';

/** How long one of several hosts may take to be reached, and again to say what it is. */
export const HOST_TIMEOUT_MS = 3_000;

/** What a server says of itself. */
export interface Answer {
  readonly standing: Standing;
  /** By which it knows the session. */
  readonly pid: number;
  readonly durability: Durability;
}

interface Row extends Durability {
  readonly refuses: boolean;
  readonly timeline: string;
  readonly pid: number;
}

/** What is believed without its timeline, if it has to be. */
export type Asking = 'timeline' | 'timeline-if-told' | 'no-timeline';

/** A provider's server may refuse to tell its timeline, or not know what one is: no right, no function, no such thing. */
const UNTOLD = new Set(['42501', '42883', '0A000', '55000']);

const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';
const NO_TIMELINE = `''`;

/** Throws where it does not answer, and where the timeline was to be told and was not. */
export async function askHost(client: pg.Client, asking: Asking): Promise<Answer> {
  if (asking === 'no-timeline') return askAll(client, NO_TIMELINE);
  try {
    return await askAll(client, TIMELINE);
  } catch (error) {
    const isUntold = error instanceof pg.DatabaseError && UNTOLD.has(error.code ?? '');
    if (asking === 'timeline' || !isUntold) throw error;
    return askAll(client, NO_TIMELINE);
  }
}

/**
 * Sets, in the same round trip, that warnings are sent, whatever the role or the address say: a warning is the only
 * sign of a COMMIT that no standby has; that the server gives up a client that takes nothing for 20 s, because its
 * transaction keeps its locks until then; and how transactions are kept apart, which our locks are made for. The
 * timeline is taken from the log that is written now, since what the server's control file says is older than a
 * promotion.
 */
async function askAll(client: pg.Client, timelineSql: string): Promise<Answer> {
  const question = {
    text: `SELECT set_config('client_min_messages', 'warning', false), set_config('tcp_user_timeout', '20000', false),
        set_config('default_transaction_isolation', 'read committed', false),
        pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "refuses",
        CASE WHEN pg_is_in_recovery() THEN '' ELSE ${timelineSql} END AS "timeline",
        pg_backend_pid() AS "pid", ${DURABILITY_COLUMNS}`,
    query_timeout: HOST_TIMEOUT_MS,
  };
  const { rows } = await client.query<Row>(question);
  const [row] = rows;
  if (row === undefined) throw new NotPrimary('this server does not say what it is');
  const { refuses, timeline, pid, ...durability } = row;
  return {
    standing: { refuses, timeline: timeline === '' ? 0 : Number.parseInt(timeline, 16) },
    pid,
    durability,
  };
}
