// The pool follows the primary from host to host, on real servers: a standby is never worked on, an old primary left.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres, volatileSettings } from '@ducat/devnet/postgres/postgres';
import { startStandby, synchronousSettings, urlOfHosts } from '@ducat/devnet/postgres/standby';
import { startTcpProxy, type TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { createHosts } from './primary-client.ts';
import type { DatabaseNotice } from './primary-changes.ts';
import { type Database, openDatabase } from './tx.ts';

const timeout = 120_000;
let folder: string;
const servers: RunningPostgres[] = [];
const databases: Database[] = [];
const proxies: TcpProxy[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-hosts-'));
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
  for (const proxy of proxies.splice(0)) await proxy.stop();
});
afterAll(async () => {
  for (const server of servers) await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function startPrimary(name: string, settings = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir: join(folder, name), settings });
  servers.push(server);
  return server;
}

function open(url: string, connections = 4): Database {
  const database = openDatabase(url, connections);
  databases.push(database);
  return database;
}

/** What one flow waits for until the test lets it through. */
function turnstile(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** A way to the server that can be troubled. */
async function wayTo(server: RunningPostgres): Promise<TcpProxy> {
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port });
  proxies.push(proxy);
  return proxy;
}

function urlOfPorts(server: RunningPostgres, ...ports: readonly number[]): string {
  const { username, password } = new URL(server.url);
  return `postgres://${username}:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`;
}

async function portOf({ reader }: Pick<Database, 'reader'>): Promise<number> {
  const rows = await reader.read<{ port: number }>(`SELECT current_setting('port')::integer AS port`, []);
  return rows[0]?.port ?? 0;
}

describe('a standby that was promoted while its primary goes on', { timeout }, () => {
  let old: RunningPostgres;
  let next: RunningPostgres;
  /** Opened before the promotion. */
  let early: Database;
  beforeAll(async () => {
    old = await startPrimary('old');
    const standby = await startStandby({ primary: old, dataDir: join(folder, 'next') });
    next = standby;
    servers.push(next);
    early = openDatabase(urlOfHosts([old, next]), 1);
    expect(await portOf(early)).toBe(old.port);
    // Nothing fences the old one off: it goes on as if it were alone.
    await standby.promote();
  }, timeout);
  afterAll(() => early.close());

  it('leaves an old primary that nobody fenced off and that still answers, at the next connection to it', async () => {
    // As one is renewed after a minute.
    await early.apart.reader.read('SELECT 1', []);
    await waitUntil(
      'the new one to be found',
      async () => (await portOf(early).catch(() => 0)) === next.port,
    );
  });

  it('stays with the new primary when it refuses one connection while the old one still writes', async () => {
    const way = await wayTo(next);
    const database = open(urlOfPorts(next, way.port, old.port));
    const begun = turnstile();
    const refused = turnstile();
    const underWay = database.transact(async (tx) => {
      await tx.read('SELECT 1', []);
      begun.open();
      await refused.opened;
      return portOf({ reader: tx });
    });
    await begun.opened;
    way.setTrouble({ refuse: true });
    // The old one is asked meanwhile, and is no way out.
    await expect(portOf(database)).rejects.toBeInstanceOf(Outage);
    way.setTrouble({});
    expect(await portOf(database)).toBe(next.port);
    refused.open();
    expect(await underWay).toBe(next.port);
  });

  it('leaves the old primary by a name that moves, as soon as one connection is made by it', async () => {
    const name = await wayTo(old);
    const database = open(urlOfPorts(old, name.port));
    const begun = turnstile();
    const moved = turnstile();
    const underWay = database.transact(async (tx) => {
      expect(await portOf({ reader: tx })).toBe(old.port);
      begun.open();
      await moved.opened;
      return portOf({ reader: tx });
    });
    await begun.opened;
    name.retarget({ host: '127.0.0.1', port: next.port });
    expect(await portOf(database.apart)).toBe(next.port);
    moved.open();
    await expect(underWay).rejects.toBeInstanceOf(Outage);
    expect(await portOf(database)).toBe(next.port);
    // The name is led back, as by a mistake: nobody follows it there.
    name.retarget({ host: '127.0.0.1', port: old.port });
    name.cut();
    await expect(portOf(database)).rejects.toBeInstanceOf(Outage);
  });
});

/** Two clusters with one password stand for one before and after a promotion, on one timeline. */
let first: RunningPostgres;
let second: RunningPostgres;
beforeAll(async () => {
  first = await startPrimary('first', { ...volatileSettings, max_connections: 10 });
  const other = await startPrimary('second', volatileSettings);
  await sameLogin(first, other);
  second = { ...other, url: urlOfHosts([{ ...first, port: other.port }]) };
}, timeout);

describe('a database on several hosts', { timeout }, () => {
  it('is written where the primary is, and followed when a standby takes its place', async () => {
    const settings = synchronousSettings;
    const primary = await startPrimary('its-primary', settings);
    const standby = await startStandby({ primary, dataDir: join(folder, 'its-standby'), settings });
    servers.push(standby);
    // The standby first: it answers, and is passed over.
    const database = open(urlOfHosts([standby, primary]));
    const write = (text: string) => database.transact((tx) => tx.write(text, []));
    expect(await portOf(database)).toBe(primary.port);
    await write('CREATE TABLE note (n integer PRIMARY KEY)');

    const acknowledged: number[] = [];
    let [outages, stop] = [0, false];
    const writer = async (from: number) => {
      for (let n = from; !stop; n++) {
        try {
          await write(`INSERT INTO note VALUES (${n})`);
          acknowledged.push(n);
        } catch (error) {
          if (!(error instanceof Outage)) throw error;
          outages++;
        }
      }
    };
    const writing = [0, 1_000_000, 2_000_000].map(writer);
    await waitUntil('rows to be acknowledged', () => acknowledged.length > 50);
    await primary.kill();
    const before = acknowledged.length;
    await standby.promote();
    const third = await startStandby({ primary: standby, dataDir: join(folder, 'its-next'), settings });
    servers.push(third);
    await waitUntil('rows to be acknowledged again', () => acknowledged.length > before + 50);
    stop = true;
    await Promise.all(writing);

    expect(await portOf(database)).toBe(standby.port);
    const kept = await database.reader.read<{ n: number }>('SELECT n FROM note', []);
    const there = new Set(kept.map(({ n }) => n));
    expect(acknowledged.filter((n) => !there.has(n))).toEqual([]);
    expect(outages).toBeGreaterThan(0);
  });
});

describe('one of two servers that know nothing of each other', { timeout }, () => {
  it('leaves an old primary that still answers as soon as one connection finds the new one', async () => {
    const [old, next] = [first, second];
    const database = open(urlOfHosts([old, next]), 2);
    await database
      .transact(async (tx) => {
        expect(await tx.read(`SELECT current_setting('port')::integer AS port`, [])).toEqual([
          { port: old.port },
        ]);
        await admin(old, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
        await waitUntil(
          'the other host to be found',
          async () => (await portOf(database).catch(() => 0)) === next.port,
        );
        await expect(tx.read('SELECT 1', [])).rejects.toBeInstanceOf(Outage);
      })
      .catch((error: unknown) => expect(error).toBeInstanceOf(Outage));
    expect(await Promise.all([portOf(database), portOf(database)])).toEqual([next.port, next.port]);
    await admin(old, ...writesAgain);
  });

  it('is not led back by a late answer of a host that was left', async () => {
    const [old, next] = [first, second];
    const way = await wayTo(old);
    const urls = [way.port, next.port].map((port) => urlOfPorts(old, port));
    const hosts = createHosts(urls, () => undefined);
    expect(await hosts.discoveryFailures()).toEqual([]);
    await waitUntil('the discovery to be over', () => way.openConnections() === 0);
    way.setTrouble({ latencyMs: 150 });
    const late = new hosts.Client().connect();
    late.catch(() => undefined);
    await waitUntil('the late one to be on its way', () => way.openConnections() === 1);
    way.setTrouble({ latencyMs: 150, refuse: true });
    await expect(new hosts.Client().connect()).rejects.toThrow();
    const client = new hosts.Client();
    await client.connect();
    await expect(late).rejects.toThrow('left while it was probed');
    const { rows } = await client.query<{ port: string }>('SHOW port');
    expect(rows).toEqual([{ port: String(next.port) }]);
    await client.end();
  });

  it('keeps its connections where the host they go to has no more of them to give', async () => {
    const [full, other] = [first, second];
    const database = open(urlOfHosts([full, other]), 10);
    const begun = turnstile();
    const looked = turnstile();
    const underWay = database.transact(async (tx) => {
      await tx.read('SELECT 1', []);
      begun.open();
      await looked.opened;
      return portOf({ reader: tx });
    });
    await begun.opened;
    const taken: pg.Client[] = [];
    try {
      await waitUntil('no connection to be left', async () => {
        const client = new pg.Client({ connectionString: full.url });
        client.on('error', () => undefined);
        return client.connect().then(
          () => void taken.push(client),
          () => true,
        );
      });
      await expect(portOf(database)).rejects.toBeInstanceOf(Outage);
    } finally {
      looked.open();
      await Promise.all(taken.map((client) => client.end()));
    }
    expect(await underWay).toBe(full.port);
  });

  it('is not kept at a host that vanished by connections that the pool has given up', async () => {
    // One timeline, as where a disk moved to another machine.
    const [vanished, next] = [first, second];
    const way = await wayTo(vanished);
    const database = open(urlOfPorts(vanished, way.port, next.port));
    expect(await portOf(database)).toBe(vanished.port);
    // Its answers stay away, and so does the end of the connection that the pool ends after 10 s without work.
    way.setTrouble({ latencyMs: 600_000 });
    await waitUntil(
      'the other host to be found',
      async () => (await portOf(database.apart).catch(() => 0)) === next.port,
      {
        timeoutMs: 60_000,
      },
    );
  });

  it('drops a connection whose server takes no writes any more', async () => {
    const server = second;
    const database = open(server.url, 1);
    await database.transact((tx) => tx.write('CREATE TABLE note (n integer)', []));
    await admin(server, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
    const write = () => database.transact((tx) => tx.write('INSERT INTO note VALUES (1)', []));
    await waitUntil('writes to be refused', () =>
      write().then(
        () => false,
        (error) => error instanceof Outage,
      ),
    );
    // Not on a new connection either, and reads are refused with it: what is there may be old.
    await expect(database.reader.read('SELECT 1', [])).rejects.toBeInstanceOf(Outage);
    await admin(server, ...writesAgain);
    await waitUntil('writes to be taken again', () =>
      write().then(
        () => true,
        () => false,
      ),
    );
  });
});

describe('a single host that does not report its timeline', { timeout }, () => {
  beforeAll(() =>
    admin(
      second,
      'CREATE SCHEMA said',
      'GRANT USAGE ON SCHEMA said TO PUBLIC',
      `CREATE ROLE hearer LOGIN PASSWORD 'x'`,
      'ALTER ROLE hearer SET search_path = said, pg_catalog',
    ),
  );

  it('is asked for it once', async () => {
    const server = second;
    await admin(
      server,
      `CREATE ROLE guest LOGIN PASSWORD 'x'`,
      'REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC',
    );
    const database = open(`postgres://guest:x@${new URL(server.url).host}/postgres`);
    for (const way of [database, database.apart, database.queues])
      expect(await portOf(way)).toBe(server.port);
    const log = readFileSync(`${server.dataDir}.log`, 'utf8');
    expect(log.match(/permission denied for function pg_walfile_name/g)).toHaveLength(1);
  });

  it.each([
    ['42883', true],
    ['0A000', true],
    ['55000', true],
    ['XX000', false],
    ['57014', false],
  ])(
    'and responds %s is accepted without it: %s; else it is asked again until it reports one',
    async (code, isAccepted) => {
      const server = second;
      const say = (text: string) =>
        admin(
          server,
          `CREATE OR REPLACE FUNCTION said.pg_walfile_name(pg_lsn) RETURNS text LANGUAGE plpgsql AS $$ BEGIN ${text} END $$`,
        );
      await say(`RAISE SQLSTATE '${code}';`);
      const database = open(`postgres://hearer:x@${new URL(server.url).host}/postgres`);
      const asked = portOf(database);
      if (isAccepted) expect(await asked).toBe(server.port);
      else await expect(asked).rejects.toBeInstanceOf(Outage);
      await say(`RETURN '00000003';`);
      expect(await portOf(database.apart)).toBe(server.port);
      // An old primary's, which only a connection that asks for it can know.
      await say(`RETURN '00000002';`);
      const last = portOf(database.queues);
      if (isAccepted) expect(await last).toBe(server.port);
      else await expect(last).rejects.toBeInstanceOf(Outage);
    },
  );
});

describe('a server that is gone', { timeout }, () => {
  // The last of the two, since one of them is gone then.
  it('is left for a second server on its timeline only once it takes no connection, and that is an error in the log', async () => {
    const [gone, next] = [first, second];
    const notices: DatabaseNotice[] = [];
    const database = openDatabase(urlOfHosts([gone, next]), 2, (notice) => notices.push(notice));
    databases.push(database);
    expect(await portOf(database)).toBe(gone.port);
    expect(notices.filter(({ level }) => level === 'error')).toEqual([]);
    await gone.kill();
    await waitUntil(
      'the other to be taken',
      async () => (await portOf(database).catch(() => 0)) === next.port,
    );
    expect(notices.find(({ level }) => level === 'error')?.message).toMatch(/^the primary changed/);
  });
});

/** Takes `default_transaction_read_only` back. */
const writesAgain = ['ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'];

/** Statements outside of a transaction, on a connection of their own that may write. */
async function admin(server: RunningPostgres, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function sameLogin(of: RunningPostgres, to: RunningPostgres): Promise<void> {
  const { password } = new URL(of.url);
  await admin(to, `ALTER ROLE postgres PASSWORD '${decodeURIComponent(password)}'`);
}
