// Starts one throw-away PostgreSQL for a whole test run; test files clone databases from a migrated template.
import { startTestPostgres } from '@ducat/devnet/postgres/test-database';
import type { TestProject } from 'vitest/node';
import { createMigratedTemplate } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresAdminUrl: string;
  }
}

/** Vitest calls this before all tests, and the returned function after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  await createMigratedTemplate(postgres.adminUrl);
  project.provide('postgresAdminUrl', postgres.adminUrl);
  return () => postgres.stop();
}
