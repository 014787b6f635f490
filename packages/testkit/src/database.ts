// A migrated database of its own for a test file.
import { cloneDatabase, createTemplate } from '@ducat/devnet/postgres/test-database';
import { migrate } from '@ducat/gateway/db/postgres/migrate';
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
export async function openTestDatabase(adminUrl: string, connections = 20): Promise<TestDatabase> {
  const clone = await cloneDatabase(adminUrl, TEMPLATE);
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
