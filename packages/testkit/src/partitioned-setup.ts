// As global-setup, for the project whose databases have their large tables partitioned.
import { startTestPostgres } from '@ducat/devnet/postgres/test-database';
import type { TestProject } from 'vitest/node';
import { createMigratedTemplate } from './database.ts';
import { partitionTables } from './partition-tables.ts';

/** Vitest calls this before all tests, and the returned function after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  await createMigratedTemplate(postgres.adminUrl, partitionTables);
  project.provide('postgresAdminUrl', postgres.adminUrl);
  return () => postgres.stop();
}
