// A migrated database of its own for a test file.
import { cloneDatabase, createTemplate } from '@ducat/devnet/postgres/test-database';
import { createPartitionedTemplate } from './partitioned-template.ts';
import { migrate } from '@ducat/gateway/db/postgres/migrate';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';

const TEMPLATE = 'ducat_template';
const PARTITIONED_TEMPLATE = 'ducat_partitioned_template';

export interface TestDatabase extends Database {
  readonly url: string;
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

/** Makes the template on a server that has none. */
export async function createMigratedTemplate(adminUrl: string): Promise<void> {
  await createTemplate(adminUrl, TEMPLATE, async (url) => {
    const database = openDatabase(url, 1);
    await migrate(database, 0);
    await database.close();
  });
}

let layout: 'plain' | 'partitioned' = 'plain';

/** From now on the databases of this test file have their large tables partitioned, see `docs/operate/large-tables.md`. */
export function usePartitionedTables(): void {
  layout = 'partitioned';
}

/** Clones the template; `adminUrl` is what vitest's inject('postgresAdminUrl') gives. */
export async function openTestDatabase(adminUrl: string, connections = 20): Promise<TestDatabase> {
  if (layout === 'partitioned') await createPartitionedTemplate(adminUrl, PARTITIONED_TEMPLATE);
  const clone = await cloneDatabase(adminUrl, layout === 'plain' ? TEMPLATE : PARTITIONED_TEMPLATE);
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
