// Shows that the embedded PostgreSQL starts, stops and recovers in open and closed folders.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { findPostgresBinaries } from './binaries.ts';
import { choosePostgresLauncher } from './launcher.ts';
import { freePort } from '../net/free-port.ts';
import { startPostgres, volatileSettings } from './postgres.ts';
import { findRunningProcess } from '../process/running-process.ts';

const timeout = 60_000;
let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ducat-postgres-test-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe.each([
  ['an open folder', 0o755],
  ['a folder with mode 0700', 0o700],
])('startPostgres in %s', (_name, mode) => {
  beforeEach(() => chmodSync(base, mode));

  it('answers, keeps the data over a restart and a kill, and ends the server that a killed parent left behind', {
    timeout,
  }, async () => {
    const dataDir = join(base, 'pg');
    const first = await startPostgres({ dataDir });
    await query(first.url, 'create table note (text text)');
    await query(first.url, "insert into note values ('one')");
    await first.stop();
    expect(findRunningProcess(first.pid)).toBeUndefined();

    const second = await startPostgres({ dataDir });
    await query(second.url, "insert into note values ('two')");
    await second.kill();

    const third = await startPostgres({ dataDir });
    const rows = await query(third.url, 'select text from note order by text');
    await third.stop();
    expect(rows).toEqual([{ text: 'one' }, { text: 'two' }]);

    const parent = spawnParent(dataDir);
    const [line] = await once(parent.stdout, 'data');
    const orphan: { pid: number; url: string } = JSON.parse(String(line));
    await query(orphan.url, 'create table left_behind (n int)');
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(findRunningProcess(orphan.pid)?.commandLine).toContain('postgres');

    const server = await startPostgres({ dataDir });
    expect(findRunningProcess(orphan.pid)).toBeUndefined();
    expect(await query(server.url, 'select count(*)::int as n from left_behind')).toEqual([{ n: 0 }]);
    await server.stop();
  });
});

describe('startPostgres', () => {
  // All tests use one cluster, which the first test makes. Each test starts it and stops it again.
  let place: string;
  let dataDir: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'ducat-postgres-test-'));
    dataDir = join(place, 'pg');
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('says so when the wanted port is taken', { timeout }, async () => {
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    await expect(startPostgres({ dataDir, port })).rejects.toThrow(/could not bind/);
    holder.close();
    await once(holder, 'close');
    const server = await startPostgres({ dataDir, port });
    expect(server.port).toBe(port);
    await server.stop();
  });

  it('keeps a generated password in a file that only the owner reads, and refuses other passwords', {
    timeout,
  }, async () => {
    const server = await startPostgres({ dataDir, settings: volatileSettings });
    const password = readFileSync(`${dataDir}.password`, 'utf8').trim();
    expect(new URL(server.url).password).toBe(password);
    if (process.platform !== 'win32') expect(statSync(`${dataDir}.password`).mode & 0o777).toBe(0o600);
    await expect(query(server.url.replace(password, 'wrong'), 'select 1')).rejects.toThrow(/password/);
    expect(await query(server.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
    await server.stop();
  });

  it('refuses a folder that a live process uses, and gives it free when it stops', { timeout }, async () => {
    const server = await startPostgres({ dataDir });
    await expect(startPostgres({ dataDir })).rejects.toThrow(`in use by process ${process.pid}`);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(existsSync(`${dataDir}.claim`)).toBe(false);
  });

  it.runIf(process.platform !== 'win32')(
    'keeps its shared memory in its folder, so that it goes with it',
    {
      timeout,
    },
    async () => {
      const server = await startPostgres({ dataDir, settings: volatileSettings });
      const segments = readdirSync(join(dataDir, 'pg_dynshmem'));
      await server.kill();
      expect(segments).toContainEqual(expect.stringMatching(/^mmap\./));
    },
  );

  it('removes a pid file whose number now belongs to another program', { timeout }, async () => {
    const server = await startPostgres({ dataDir });
    const pidFile = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8');
    await server.stop();
    writeFileSync(join(dataDir, 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));
    const again = await startPostgres({ dataDir });
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await again.stop();
  });
});

describe.runIf(process.getuid?.() === 0)('choosePostgresLauncher as root', () => {
  it('uses a user namespace where another user cannot enter the folder', () => {
    expect(choosePostgresLauncher(findPostgresBinaries(), join(base, 'pg')).way).toBe('userns');
  });

  it('copies programs and data to an open place as the last resort', { timeout }, () => {
    const launcher = choosePostgresLauncher(findPostgresBinaries(), join(base, 'pg'), ['copy']);
    expect(launcher.way).toBe('copy');
    expect(launcher.dataDir.startsWith(base)).toBe(false);
    // The next start finds the same place again, although other ways might work by then.
    expect(choosePostgresLauncher(findPostgresBinaries(), join(base, 'pg')).dataDir).toBe(launcher.dataDir);
    rmSync(launcher.dataDir, { recursive: true });
    rmSync(dirname(launcher.binaries.native), { recursive: true });
  });
});

/** Runs the built package in its own process, because a killed parent cannot be this one. */
function spawnParent(dataDir: string) {
  const module = new URL('../../dist/postgres/postgres.js', import.meta.url).href;
  const code = `import { startPostgres } from ${JSON.stringify(module)};
    const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(JSON.stringify({ pid: server.pid, url: server.url }));
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // A killed server ends the connection, which these tests do not check.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
