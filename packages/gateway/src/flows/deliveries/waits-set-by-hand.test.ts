// The statement of docs/operate/webhooks.md makes due what a wrong clock put off, and leaves the schedule's own waits.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertEventApp, insertTestEvents, readEvent } from '@ducat/testkit/events';
import { realWorld } from '../../runtime/world.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterAll(() => database.drop());

const dueAt = async (eventId: string) => (await readEvent(database, eventId)).nextAttemptAtMs;

it('makes due what waits longer than the schedule ever does', async () => {
  const page = readFileSync(new URL('../../../../../docs/operate/webhooks.md', import.meta.url), 'utf8');
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? [];
  const nowMs = realWorld.nowMs();
  const sixHours = nowMs + 6 * 3_600_000;
  await insertTestEvents(database, [
    { eventId: 'put-off', createdAtMs: nowMs + 8 * 3_600_000 },
    { eventId: 'failed', createdAtMs: sixHours },
  ]);
  await database.transact((tx) => tx.write(sql, []));
  expect(await dueAt('put-off')).toBeLessThanOrEqual(realWorld.nowMs());
  expect(await dueAt('failed')).toBe(sixHours);
});
