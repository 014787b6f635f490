// Migrations: together they give the schema that schema.sql shows, and two processes may start at once.
import { readFile, writeFile } from 'node:fs/promises';
import { cloneDatabase, createTemplate } from '@ducat/devnet/postgres/test-database';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { describeSchema } from '@ducat/testkit/describe-schema';
import { migrate, MIGRATION_LOCK, migrationFiles } from './migrate.ts';
import { openDatabase } from '../tx.ts';

const schemaFile = new URL('../../../../schema.sql', import.meta.url);
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});

afterEach(() => database.drop());

describe('migrate', () => {
  it('gives the schema that schema.sql shows', async () => {
    const schema = await describeSchema(database.reader);
    if (process.env.DUCAT_WRITE_SCHEMA !== undefined) await writeFile(schemaFile, schema);
    expect(schema, 'run `npm run schema` and read the diff').toBe(await readFile(schemaFile, 'utf8'));
  });

  it('applies each migration once when three processes start on an empty database', async () => {
    const adminUrl = inject('postgresAdminUrl');
    await createTemplate(adminUrl, 'ducat_empty', () => Promise.resolve());
    const empty = await cloneDatabase(adminUrl, 'ducat_empty');
    const processes = [1, 2, 3].map(() => openDatabase(empty.url, 1));
    const applied = await Promise.all(processes.map((process) => migrate(process, 0)));
    const known = (await migrationFiles()).map(({ number }) => number);
    expect(applied.flat().toSorted((a, b) => a - b)).toEqual(known);
    await Promise.all(processes.map((process) => process.close()));
    await empty.drop();
  });

  it('does so where transactions are kept apart in another way by default', async () => {
    const adminUrl = inject('postgresAdminUrl');
    await createTemplate(adminUrl, 'ducat_empty', () => Promise.resolve());
    const empty = await cloneDatabase(adminUrl, 'ducat_empty');
    const apart = `${empty.url}?options=-c%20default_transaction_isolation%3Drepeatable%5C%20read`;
    const processes = [1, 2, 3].map(() => openDatabase(apart, 1));
    const applied = await Promise.allSettled(processes.map((process) => migrate(process, 0)));
    expect(applied.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await Promise.all(processes.map((process) => process.close()));
    await empty.drop();
  });

  it('refuses a schema that a newer build has brought further, and changes nothing', async () => {
    const next = ((await migrationFiles()).at(-1)?.number ?? 0) + 1;
    const note = 'INSERT INTO migrations (number, name, applied_at_ms) VALUES ($1, $2, 0)';
    await database.transact((tx) => tx.write(note, [next, 'from_tomorrow.sql']));
    const before = await describeSchema(database.reader);
    await expect(migrate(database, 0)).rejects.toThrow('a newer build (from_tomorrow.sql)');
    expect(await describeSchema(database.reader)).toBe(before);
  });

  it('waits for another process that takes longer than any limit of a statement', async () => {
    // The address may set the limits too, here to less than the other takes.
    const impatient = openDatabase(
      `${database.url}?lock_timeout=100&statement_timeout=100&query_timeout=300`,
      1,
    );
    let migrating: Promise<unknown> = Promise.resolve();
    await database.transact(async (tx) => {
      await tx.read('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      migrating = migrate(impatient, 0).catch((error: unknown) => error);
      await tx.read('SELECT pg_sleep(1)', []);
    });
    expect(await migrating).toEqual([]);
    await impatient.close();
  });

  it('has nothing left to do on a migrated database', async () => {
    expect(await migrate(database, 0)).toEqual([]);
  });
});
