// A real PostgreSQL database for one run after the other: migrated once, emptied before each.
import { cloneDatabase, createTemplate } from '@ducat/devnet/postgres/test-database';
import { migrate } from '@ducat/gateway/db/postgres/migrations/migrate';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import { withoutTimeouts } from './without-timeouts.ts';

export interface SimDatabase {
  readonly database: Database;
  /** Empties every table and begins all counters anew. */
  empty(): Promise<void>;
  /** Runs statements that change the schema, for planted bugs. */
  change(statements: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

withoutTimeouts();

const TEMPLATE = 'ducat_sim_template';
/** More than all processes of a run can have open at once; a pool that runs dry would stop the scheduler. */
const CONNECTIONS = 100;

/** How long a run waits for a connection, because a busy machine is no fault of the product. */
const LONG_MS = 600_000;

/** Tables are so small that planning anew for each value costs more than any plan could save. */
const SESSION = '-c jit=off -c plan_cache_mode=force_generic_plan';

/** Clones a migrated database in the server at `adminUrl`. */
export async function openSimDatabase(adminUrl: string): Promise<SimDatabase> {
  await createTemplate(adminUrl, TEMPLATE, async (url) => {
    const database = openDatabase(url, 1);
    await migrate(database, 0);
    await leaveToRuns(database);
    await database.close();
  });
  const clone = await cloneDatabase(adminUrl, TEMPLATE);
  const url = `${clone.url}?options=${encodeURIComponent(SESSION)}`;
  const database = openDatabase(url, CONNECTIONS, undefined, { placeMs: LONG_MS });
  const change = (statements: readonly string[]): Promise<void> =>
    database.transact(async (tx) => {
      for (const statement of statements) await tx.write(statement, []);
    });
  return {
    database,
    change,
    empty: await emptying(database, change),
    drop: async () => {
      await database.close();
      await clone.drop();
    },
  };
}

const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
const SEQUENCES = `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' AND start_value = 1`;

/** So many runs leave their dead rows behind before the tables are truncated. */
const RUNS_A_TRUNCATION = 16;

/**
 * Deletes all rows. After a TRUNCATE each connection plans each of its statements once more, which costs more than
 * the dead rows of some runs. The append-only tables refuse both unless triggers are off.
 */
async function emptying(database: Database, change: SimDatabase['change']): Promise<() => Promise<void>> {
  const tables = (await namesIn(database, TABLES)).filter((name) => name !== 'migrations');
  const sequences = await namesIn(database, SEQUENCES);
  const deletions = tables.map((name, place) => `d${place} AS (DELETE FROM ${name})`);
  const restarts = sequences.map((name) => `setval('${name}', 1, false)`);
  let runs = 0;
  return () => {
    const isAnew = ++runs % RUNS_A_TRUNCATION === 0;
    return change([
      'SET LOCAL session_replication_role = replica',
      `WITH ${deletions.join(', ')} SELECT ${restarts.join(', ')}`,
      ...(isAnew ? [`TRUNCATE ${tables.join(', ')}`] : []),
    ]);
  };
}

/** Vacuuming and statistics by the server's own clock would change plans in the middle of a run, so they are off. */
async function leaveToRuns(database: Database): Promise<void> {
  const tables = await namesIn(database, TABLES);
  await database.transact(async (tx) => {
    for (const table of tables) await tx.write(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`, []);
  });
}

async function namesIn({ reader }: Database, sql: string): Promise<readonly string[]> {
  const rows = await reader.read<{ readonly name: string }>(
    `SELECT quote_ident(name) AS name FROM (${sql}) AS n`,
    [],
  );
  return rows.map(({ name }) => name).toSorted();
}
