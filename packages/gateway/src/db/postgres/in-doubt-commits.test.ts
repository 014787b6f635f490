// COMMITs in doubt: they fill no server, their end is noticed, and another primary is found because of them.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@ducat/devnet/postgres/postgres';
import { startStandby, synchronousSettings, urlOfHosts } from '@ducat/devnet/postgres/standby';
import { startTcpProxy, type TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { InDoubtCommits } from './in-doubt-commits.ts';
import { migrate } from './migrations/migrate.ts';
import { createHosts } from './primary-client.ts';
import type { DatabaseNotice } from './primary-changes.ts';
import { readReadiness } from '../reports/readiness.ts';
import { type Database, openDatabase } from './tx.ts';

const timeout = 60_000;
/** Stands for the minute and a half. */
const SHORT_TIMEOUT = '?query_timeout=300';
/** Stands for the ten seconds that a place is waited for. */
const WAIT_MS = 1_000;
const CONNECTIONS = 4;
let folder: string;
/** Its standby is gone, and its operator still gets through. */
let forsaken: RunningPostgres;
let operator: Database;
let servers: RunningPostgres[];
let proxies: TcpProxy[];
let databases: Database[];
let notices: DatabaseNotice[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-late-'));
  forsaken = await startPostgres({ dataDir: join(folder, 'forsaken'), settings: { max_connections: 40 } });
  operator = openDatabase(`${forsaken.url}?options=-c%20synchronous_commit%3Dlocal`, 2);
  await migrate(operator, 0);
  for (const sql of [
    'CREATE TABLE note (n integer)',
    'CREATE ROLE owner NOLOGIN',
    'GRANT ALL ON note TO owner',
    // As credentials that are made for hours are.
    `CREATE ROLE another LOGIN PASSWORD 'x' IN ROLE owner`,
    `ALTER ROLE another SET role = 'owner'`,
    `CREATE ROLE silent LOGIN PASSWORD 'x' IN ROLE owner`,
    'ALTER ROLE silent SET track_activities = off',
  ]) {
    await operator.transact((tx) => tx.write(sql, []));
  }
}, timeout);
afterAll(async () => {
  await operator?.close();
  await forsaken?.kill();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  [servers, proxies, databases, notices] = [[], [], [], []];
  await waitFor(forsaken, 'nobody');
});
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()));
  for (const proxy of proxies) await proxy.stop();
  for (const server of servers) await server.kill();
  await waitFor(forsaken, '');
  await waitUntil('nobody to wait', async () => (await waiting()).length === 0);
});

function open(url: string, connections = CONNECTIONS, waitMs = WAIT_MS): Database {
  const database = openDatabase(url, connections, (notice) => notices.push(notice), { placeMs: waitMs });
  databases.push(database);
  return database;
}

/** A way to a port that can be troubled; to none by default. */
async function wayTo(port = 9): Promise<TcpProxy> {
  const proxy = await startTcpProxy({ host: '127.0.0.1', port });
  proxies.push(proxy);
  return proxy;
}

function urlOfPorts(server: RunningPostgres, ...ports: readonly number[]): string {
  const { username, password } = new URL(server.url);
  return `postgres://${username}:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`;
}

const portOf = async ({ reader }: Database) =>
  (await reader.read<{ port: number }>(`SELECT current_setting('port')::integer AS port`, []))[0]?.port;

async function waiting(): Promise<readonly { pid: number }[]> {
  return operator.reader.read("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'", []);
}

/** Each of the two ways to commit. */
const write = ({ transact }: Database, n: number) =>
  transact((tx) => tx.write('INSERT INTO note VALUES ($1)', [n]), n % 2 === 0 ? 'one-statement' : undefined);

/** The pause between two looks at the connections. */
const LOOK_MS = 5_000;

/** A second for a moment. */
const quickly = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 50));

const ended = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('COMMITs that wait for a standby that is gone', () => {
  it.each([
    ['pool has', null],
    ['pool has where the login works as another role', 'another'],
    ['pool has where the server does not show what sessions do', 'silent'],
  ])(
    'leave no more sessions than the %s, and all places free when the standby is back',
    {
      timeout,
    },
    async (_, login) => {
      const { host } = new URL(forsaken.url);
      const url = login === null ? forsaken.url : `postgres://${login}:x@${host}/postgres`;
      const database = open(`${url}${SHORT_TIMEOUT}`);
      const outcomes = await Promise.all(Array.from({ length: 30 }, (_, n) => ended(write(database, n))));
      for (const outcome of outcomes) expect(outcome).toBeInstanceOf(Outage);
      expect(await sessionsAt(forsaken)).toBe(CONNECTIONS);

      await waitFor(forsaken, '');
      const all = Array.from({ length: CONNECTIONS }, (_, n) => 100 + n);
      await waitUntil('all places to be free', async () => {
        const back = await Promise.all(all.map((n) => ended(write(database, n))));
        return back.every((outcome) => !(outcome instanceof Outage));
      });
      expect(await sessionsAt(forsaken)).toBe(0);
    },
  );

  it('make the gateway that sent them not ready, although reads go on', { timeout }, async () => {
    const database = open(forsaken.url);
    const isReady = async (of: Database, now: number) => (await readReadiness(of, [], now)).ready;
    const writing = ended(write(database, 1));
    await waitUntil('it to wait', async () => (await waiting()).length === 1);
    expect([await isReady(database, 0), await isReady(database, 9)]).toEqual([true, true]);
    expect([await isReady(database, 10), await isReady(operator, 10)]).toEqual([false, true]);
    await waitFor(forsaken, '');
    expect(await writing).toEqual([]);
    expect(await isReady(database, 11)).toBe(true);
  });

  it('count as unanswered while they are held, and no longer', { timeout }, async () => {
    const database = open(`${forsaken.url}${SHORT_TIMEOUT}`);
    expect(await ended(write(database, 1))).toBeInstanceOf(Outage);
    expect([database.answersCommits(0, 10), database.answersCommits(10, 10)]).toEqual([true, false]);
    await waitFor(forsaken, '');
    await waitUntil('it to be answered', () => database.answersCommits(20, 10));
  });

  it('are let go of when their server has the session no more, though nothing reports it', {
    timeout,
  }, async () => {
    const way = await wayTo(forsaken.port);
    // The server shows to the login itself alone that its session is idle by now.
    const database = open(`postgres://another:x@127.0.0.1:${way.port}/postgres${SHORT_TIMEOUT}`, 1);
    expect(await ended(write(database, 1))).toBeInstanceOf(Outage);
    const [lost] = await waiting();
    // What is on its way to us from now on gets lost with this connection.
    way.setTrouble({ latencyMs: 600_000 });
    await operator.reader.read('SELECT pg_cancel_backend($1)', [lost?.pid ?? 0]);
    await waitUntil('the server to be done with it', async () => (await waiting()).length === 0);
    await waitFor(forsaken, '');
    way.setTrouble({});
    await waitUntil(
      'its place to be free',
      async () => !((await ended(write(database, 2))) instanceof Outage),
    );
  });

  it('are let go of when their name has moved to a server that was not promoted, though their own never responds', {
    timeout,
  }, async () => {
    // Two clusters with one password stand for a disk that moved below PostgreSQL, which leaves the timeline as it was.
    const moved = await startSameLogin('moved');
    const name = await wayTo(forsaken.port);
    const database = open(urlOfPorts(forsaken, name.port) + SHORT_TIMEOUT, 2);
    expect(await portOf(database)).toBe(forsaken.port);
    const writing = ended(write(database, 1));
    await waitUntil('it to wait', async () => (await waiting()).length === 1);
    // The discovery that follows on it finds no host.
    name.setTrouble({ refuse: true });
    expect(await writing).toBeInstanceOf(Outage);
    expect(await ended(portOf({ ...database, ...database.apart }))).toBeInstanceOf(Outage);
    name.retarget({ host: '127.0.0.1', port: moved.port });
    name.setTrouble({});
    expect(await portOf({ ...database, ...database.apart })).toBe(moved.port);
    database.answersCommits(0, 10);
    await waitUntil('it to be let go of', () => database.answersCommits(20, 10), { timeoutMs: 10_000 });
    expect(await portOf(database)).toBe(moved.port);
  });

  it('do not keep the gateway from stopping', { timeout }, async () => {
    const database = openDatabase(`${forsaken.url}${SHORT_TIMEOUT}`, CONNECTIONS);
    const outcomes = await Promise.all([0, 1, 2].map((n) => ended(write(database, n))));
    for (const outcome of outcomes) expect(outcome).toBeInstanceOf(Outage);
    const late = ended(write(database, 3));
    // Also one that is under way then, once it was waited for as long as ever.
    await waitUntil('it to be under way', async () => (await sessionsAt(forsaken)) === 4);
    const sinceMs = Date.now();
    await database.close();
    expect(await late).toBeInstanceOf(Outage);
    expect(Date.now() - sinceMs).toBeLessThan(5_000);
  });

  it('end the wait for a place after its time, whatever other hosts there are', {
    timeout,
  }, async () => {
    const waitMs = 2_000;
    const [way, gone, away] = [await wayTo(forsaken.port), await wayTo(), await wayTo()];
    const url = urlOfPorts(forsaken, way.port, gone.port, away.port);
    const database = open(`${url}${SHORT_TIMEOUT}`, 1, waitMs);
    expect(await ended(write(database, 1))).toBeInstanceOf(Outage);
    way.setTrouble({ refuse: true });
    let isOver = false;
    const sinceMs = Date.now();
    const waiter = ended(write(database, 2)).then(() => {
      isOver = true;
    });
    // Others turn from host to host meanwhile.
    await waitUntil('the end of the wait', async () => {
      await ended(database.apart.reader.read('SELECT 1', []));
      return isOver;
    });
    await waiter;
    expect(Date.now() - sinceMs).toBeLessThan(3 * waitMs);
  });

  it('lead to no second server on the same timeline, which has another history', { timeout }, async () => {
    // Two clusters with one password stand for two standbys that were both promoted.
    const other = await startSameLogin('other');
    const database = open(`${urlOfHosts([forsaken, other])}${SHORT_TIMEOUT}`, 2);
    expect(await ended(write(database, 1))).toBeInstanceOf(Outage);
    expect(await ended(write(database, 2))).toBeInstanceOf(Outage);
    expect(await ended(write(database, 3))).toBeInstanceOf(Outage);
    expect([await portOf(database).catch(() => 0), await portOf({ ...database, ...database.apart })]).toEqual(
      [0, forsaken.port],
    );
    // Nor because it has no connection left, which is an answer: its sessions wait as ours do.
    const another = open(`${urlOfHosts([forsaken, other])}${SHORT_TIMEOUT}`, 1);
    expect(await ended(write(another, 1))).toBeInstanceOf(Outage);
    const taken = await takeAll(forsaken);
    expect(await ended(portOf({ ...another, ...another.apart }))).toBeInstanceOf(Outage);
    await Promise.all(taken.map((client) => client.end()));
    expect(await portOf({ ...another, ...another.apart })).toBe(forsaken.port);
    expect(notices.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('lead to none either because a pooler before their own has no connection left', {
    timeout,
  }, async () => {
    const other = await startSameLogin('unpooled');
    const pooler = await wayTo(forsaken.port);
    const database = open(urlOfPorts(forsaken, pooler.port, other.port) + SHORT_TIMEOUT, 1);
    expect(await ended(write(database, 1))).toBeInstanceOf(Outage);
    const full = await startFullPooler();
    try {
      pooler.retarget({ host: '127.0.0.1', port: full.port });
      for (let tries = 0; tries < 3; tries++) {
        expect(await ended(portOf({ ...database, ...database.apart }))).toBeInstanceOf(Outage);
      }
    } finally {
      await full.stop();
    }
    pooler.retarget({ host: '127.0.0.1', port: forsaken.port });
    expect(await portOf({ ...database, ...database.apart })).toBe(forsaken.port);
  });
});

it('a COMMIT that an old primary does not answer leads to the new one, though it has the only place and answers reads', {
  timeout,
}, async () => {
  const settings = synchronousSettings;
  const primary = await startPostgres({ dataDir: join(folder, 'a'), settings });
  servers.push(primary);
  const standby = await startStandby({ primary, dataDir: join(folder, 'b'), settings });
  servers.push(standby);
  const hosts = urlOfHosts([primary, standby]);
  const database = open(`${hosts}?query_timeout=700`, 1);
  await database.transact((tx) => tx.write('CREATE TABLE note (n integer)', []));
  // Looks at its connections four times, from its COMMIT on, so that the look for the primary once a minute does not come.
  const committing = new AbortController();
  let looks = 0;
  const sleep = async (ms: number, signal: AbortSignal) => {
    if (ms >= LOOK_MS && !committing.signal.aborted) await once(committing.signal, 'abort');
    if (ms >= LOOK_MS && ++looks > 4) await once(signal, 'abort');
    await quickly(ms);
  };
  const patient = openDatabase(hosts, 1, () => undefined, { sleep });
  databases.push(patient);
  expect(await portOf(patient)).toBe(primary.port);
  // Cut off from its standby, and not from us.
  await standby.promote();
  const next = await startStandby({ primary: standby, dataDir: join(folder, 'c'), settings });
  servers.push(next);
  committing.abort();
  // Nor is its own timeout waited for, which here is the minute and a half.
  expect(await ended(write(patient, 3))).toBeInstanceOf(Outage);
  expect(await portOf(patient)).toBe(standby.port);
  expect(await ended(write(database, 1))).toBeInstanceOf(Outage);
  await waitUntil(
    'the new primary to be found',
    async () => !((await ended(write(database, 2))) instanceof Outage),
  );
  expect(await portOf(database)).toBe(standby.port);
});

it('a connection that ended before it was held is given back at once', async () => {
  const hosts = createHosts([forsaken.url], () => undefined);
  const client = new hosts.Client();
  await client.connect();
  await client.end();
  const released: boolean[] = [];
  const inDoubt = new InDoubtCommits(hosts, {});
  // The pool's client is its own client with this beside.
  const ofPool = Object.assign(client, { release: (broken: boolean) => void released.push(broken) });
  inDoubt.hold(ofPool as pg.Client as pg.PoolClient);
  expect(released).toEqual([true]);
});

/** With the password of the other one, and on its timeline. */
async function startSameLogin(name: string): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir: join(folder, name) });
  servers.push(server);
  const { password } = new URL(forsaken.url);
  await admin(server, `ALTER ROLE postgres PASSWORD '${decodeURIComponent(password)}'`);
  return server;
}

/** Answers each client as PgBouncer does one too many. */
async function startFullPooler(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const words = 'SFATAL\0VFATAL\0C08P01\0Mno more connections allowed (max_client_conn)\0\0';
  const answer = Buffer.alloc(5 + words.length);
  answer.write('E');
  answer.writeInt32BE(4 + words.length, 1);
  answer.write(words, 5, 'latin1');
  const server = createServer((client) => {
    client.on('error', () => undefined);
    client.once('data', () => client.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function sessionsAt(server: RunningPostgres): Promise<number> {
  const rows = await admin(server, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  return rows.length;
}

/** Names the standbys that COMMITs wait for, and returns once new and old sessions do. */
async function waitFor(server: RunningPostgres, names: string): Promise<void> {
  await admin(server, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`, 'SELECT pg_reload_conf()');
  const set = `SELECT 1 WHERE current_setting('synchronous_standby_names') = '${names}'`;
  await waitUntil('the standbys to be named', async () => (await admin(server, set)).length === 1);
  // COMMITs wait once the checkpointer has read the names. It reads them before it makes the next checkpoint.
  await admin(server, 'CHECKPOINT');
}

/** Opens connections until the server has none left. */
async function takeAll(server: RunningPostgres): Promise<readonly pg.Client[]> {
  const taken: pg.Client[] = [];
  await waitUntil('no connection to be left', async () => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    return client.connect().then(
      () => void taken.push(client),
      () => true,
    );
  });
  return taken;
}

/** Statements on a connection of their own; the rows of the last. */
async function admin(server: RunningPostgres, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  let rows: readonly unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query<object>(statement));
  await client.end();
  return rows;
}
