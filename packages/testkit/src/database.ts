// A migrated database of its own for a test file.
import { cloneDatabase, createTemplate } from '@ducat/devnet/postgres/test-database';
import { migrate } from '@ducat/gateway/db/postgres/migrations/migrate';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';

const TEMPLATE = 'ducat_template';

export interface TestDatabase extends Database {
  readonly url: string;
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

/** Makes the template on a server that has none. `prepare` changes it after the migrations. */
export async function createMigratedTemplate(
  adminUrl: string,
  prepare: (database: Database) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await createTemplate(adminUrl, TEMPLATE, async (url) => {
    const database = openDatabase(url, 1);
    await migrate(database, 0);
    await prepare(database);
    await database.close();
  });
}

/** Clones the template; `adminUrl` is what vitest's inject('postgresAdminUrl') gives. */
export function openTestDatabase(adminUrl: string, connections = 20): Promise<TestDatabase> {
  return openClone(adminUrl, TEMPLATE, connections);
}

/** A copy of a database as it is now, as a backup is one. The connections of the original have to be closed. */
export function copyTestDatabase(
  adminUrl: string,
  { url }: Pick<TestDatabase, 'url'>,
): Promise<TestDatabase> {
  return openClone(adminUrl, new URL(url).pathname.slice(1), 20);
}

async function openClone(adminUrl: string, template: string, connections: number): Promise<TestDatabase> {
  const clone = await cloneDatabase(adminUrl, template);
  const database = openDatabase(clone.url, connections);
  return {
    ...database,
    url: clone.url,
    drop: async () => {
      await database.close();
      await clone.drop();
    },
  };
}
