// A real PostgreSQL database for one run after the other: migrated once, emptied before each.
import { cloneDatabase, createTemplate } from '@ducat/devnet/postgres/test-database';
import { migrate } from '@ducat/gateway/db/postgres/migrate';
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
const CONNECTIONS = 40;

/** How long a connection is waited for: a busy machine is no fault of the product. */
const LONG_MS = 600_000;

/** Tables are so small that planning anew for each value costs more than any plan could save. */
const SESSION = '-c jit=off -c plan_cache_mode=force_generic_plan';

/** Clones a migrated database in the server at `adminUrl`. */
export async function openSimDatabase(adminUrl: string): Promise<SimDatabase> {
  await createTemplate(adminUrl, TEMPLATE, async (url) => {
    const database = openDatabase(url, 1);
    await migrate(database, 0);
    await database.close();
  });
  const clone = await cloneDatabase(adminUrl, TEMPLATE);
  const url = `${clone.url}?options=${encodeURIComponent(SESSION)}`;
  const database = openDatabase(url, CONNECTIONS, undefined, { placeMs: LONG_MS });
  const tables = await tablesOf(database);
  const change = (statements: readonly string[]): Promise<void> =>
    database.transact(async (tx) => {
      for (const statement of statements) await tx.write(statement, []);
    });
  return {
    database,
    change,
    // The append-only tables refuse TRUNCATE unless triggers are off.
    empty: () =>
      change([
        'SET LOCAL session_replication_role = replica',
        `TRUNCATE ${tables.join(', ')} RESTART IDENTITY CASCADE`,
      ]),
    drop: async () => {
      await database.close();
      await clone.drop();
    },
  };
}

async function tablesOf({ reader }: Database): Promise<readonly string[]> {
  const rows = await reader.read<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'
     ORDER BY tablename`,
    [],
  );
  return rows.map(({ name }) => name);
}
