// Starts one throw-away PostgreSQL for a whole test run; test files clone databases from a migrated template.
import { createTemplate, startTestPostgres } from '@ducat/devnet/test-database';
import type { TestProject } from 'vitest/node';
import { migrate } from '../store/migrate.ts';
import { openDatabase } from '../store/tx.ts';
import { TEMPLATE } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresAdminUrl: string;
  }
}

/** Vitest calls this before all tests, and what it returns after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  await createTemplate(postgres.adminUrl, TEMPLATE, async (url) => {
    const database = openDatabase(url, 1);
    await migrate(database, 0);
    await database.close();
  });
  project.provide('postgresAdminUrl', postgres.adminUrl);
  return () => postgres.stop();
}
