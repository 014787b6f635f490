// A webhook that breaks something is left alone, and the others are sent; what breaks every webhook stops the notifier.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readEvent,
} from '@ducat/testkit/events';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { BrokenEvents } from './broken-events.ts';
import { claimApart } from './claim-apart.ts';
import { runNotifier } from './notifier.ts';
import { defaultNotifierLimits } from './parts.ts';
import type { Post } from './port.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
const broken: string[] = [];
const nothing = (): void => undefined;

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(async () => {
  broken.length = 0;
  await deleteEvents(database);
});
afterAll(() => database.drop());

const run = (sql: string) => database.transact((tx) => tx.write(sql, []));

function parts() {
  const { transact, reader } = database;
  const observer = {
    onAttempt: nothing,
    onDied: nothing,
    onBroken: (eventId: string) => broken.push(eventId),
    onTrouble: nothing,
  };
  return { transact, reader, world: createHandClock(EVENTS_AT_MS), observer };
}

const many = (from: number, count: number, host: string) =>
  Array.from({ length: count }, (_, place) => ({
    eventId: `evt_${from + place}`,
    url: `https://${host}.test/hook`,
  }));

// hits mark: a-broken-webhook-stops-itself-alone
it('sends all others where one cannot be claimed and another cannot be recorded', async () => {
  await insertTestEvents(database, [...many(100, 20, 'shop'), ...many(200, 10, 'bank')]);
  // Its first attempt is written already.
  await run(
    `INSERT INTO delivery_attempts (event_id, attempt, started_at_ms, outcome) VALUES ('evt_107', 1, 0, 'unfinished')`,
  );
  await run(`CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.state = 'delivered' AND NEW.event_id = 'evt_203' THEN RAISE 'a row that breaks' USING ERRCODE = 'check_violation'; END IF;
    RETURN NEW; END $$`);
  await run('CREATE TRIGGER poison BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION poison()');
  const { world, ...others } = parts();
  const posts: string[] = [];
  const post: Post = ({ body }) => {
    posts.push(body);
    return Promise.resolve({ outcome: 'delivered', httpStatus: 200 });
  };
  const stopping = new AbortController();
  const keys = { appKey: () => 'key' };
  const ended = runNotifier(
    { ...others, world, idle: chainsInUse, post, keys, limits: defaultNotifierLimits },
    stopping.signal,
  );
  const delivered = () =>
    database.reader.read<{ readonly event_id: string }>(
      "SELECT event_id FROM events WHERE state = 'delivered'",
      [],
    );
  await waitUntil('28 are delivered', async () => {
    world.advance(100);
    return (await delivered()).length === 28 && broken.length === 2;
  });
  stopping.abort();
  const nudging = setInterval(() => world.advance(60_000), 5);
  await ended;
  clearInterval(nudging);
  expect(broken.toSorted()).toEqual(['evt_107', 'evt_203']);
  const kept = await database.reader.read<{
    readonly id: string;
    readonly since_ms: number;
    readonly until_ms: number;
  }>("SELECT id, since_ms, until_ms FROM quarantines WHERE kind = 'event' ORDER BY id", []);
  expect(kept.map(({ id, since_ms, until_ms }) => [id, until_ms - since_ms])).toEqual([
    ['evt_107', HOUR_MS],
    ['evt_203', HOUR_MS],
  ]);
  // Each falls due again when its hour is over, and not before.
  for (const { id, until_ms } of kept)
    expect(await readEvent(database, id)).toMatchObject({ state: 'pending', nextAttemptAtMs: until_ms });
  await run('DROP TRIGGER poison ON events');
});

// hits mark: a-shared-bug-stops-the-notifier
it('stops at the third in a row, where nothing was claimed between them', async () => {
  await insertTestEvents(database, [...many(100, 9, 'shop'), ...many(200, 9, 'bank')]);
  const breaking = () => Promise.reject(new Error('no such column'));
  const shares = ['bank.test', 'shop.test'].map((receiver) => ({ appId: 'app_1', receiver, deliveries: 9 }));
  const row = new BrokenEvents(parts());
  await expect(claimApart(breaking, shares, row)).rejects.toThrow('no such column');
  expect(broken).toHaveLength(3);
  // One that goes well between two shows that it is a bug of single ones.
  row.onSuccess();
  const [share] = shares;
  expect(await claimApart(breaking, [{ ...share!, deliveries: 1 }], row)).toMatchObject({ deliveries: [] });
});
