// A migrated database of its own for a test file.
import { cloneDatabase } from '@ducat/devnet/test-database';
import { type Database, openDatabase } from '../store/tx.ts';

export const TEMPLATE = 'ducat_template';

export interface TestDatabase extends Database {
  readonly url: string;
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
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
