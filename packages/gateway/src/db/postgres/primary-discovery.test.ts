// A process that has just started works on the newest primary that it can reach, wherever that stands in the address.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@ducat/devnet/postgres/postgres';
import { type StandbyPostgres, startStandby } from '@ducat/devnet/postgres/standby';
import { startTcpProxy, type TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { type Database, openDatabase } from './tx.ts';

const STARTS = 20;
/** What a host without a word may cost, with room for a busy machine. */
const BOUNDED_MS = 8_000;
const timeout = 60_000;
let folder: string;
/** Nobody fenced it off: it takes writes as if nothing had followed it. */
let old: RunningPostgres;
let next: StandbyPostgres;
/** Follows `next`. */
let standby: StandbyPostgres;
/** Knows nobody's password. */
let stranger: RunningPostgres;
/** Takes connections and says nothing. */
let mute: TcpProxy;
let databases: Database[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-discovery-'));
  old = await startPostgres({ dataDir: join(folder, 'old') });
  next = await startStandby({ primary: old, dataDir: join(folder, 'next') });
  await next.promote();
  standby = await startStandby({ primary: next, dataDir: join(folder, 'standby') });
  stranger = await startPostgres({ dataDir: join(folder, 'stranger') });
  mute = await startTcpProxy({ host: '127.0.0.1', port: next.port });
  mute.setTrouble({ latencyMs: 600_000 });
}, timeout);
afterAll(async () => {
  await mute?.stop();
  for (const server of [old, next, standby, stranger]) await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  databases = [];
});
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()));
});

function open(...hosts: readonly { readonly port: number }[]): Database {
  const { username, password } = new URL(old.url);
  const places = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const database = openDatabase(`postgres://${username}:${password}@${places}/postgres`, 2);
  databases.push(database);
  return database;
}

/** Where a flow of several statements was done, which ends the process when it is a command. */
const portOf = ({ transact }: Pick<Database, 'transact'>) =>
  transact(async (tx) => {
    const [row] = await tx.read<{ port: number }>(`SELECT current_setting('port')::integer AS port`, []);
    return row?.port;
  });

describe('the first connection', () => {
  it('goes to the newest primary, though an old one that still writes stands before it', {
    timeout,
  }, async () => {
    const ports: unknown[] = [];
    for (let n = 0; n < STARTS; n++) {
      const database = open(old, next);
      ports.push(...(await Promise.all([database, database.apart, database.queues].map(portOf))));
    }
    expect(ports.filter((port) => port !== next.port)).toEqual([]);
    expect(ports).toHaveLength(3 * STARTS);
  });

  it('goes there as well with a host between that does not answer, and waits for that one no longer than it may', {
    timeout,
  }, async () => {
    const sinceMs = Date.now();
    expect(await portOf(open(old, mute, next))).toBe(next.port);
    expect(Date.now() - sinceMs).toBeLessThan(BOUNDED_MS);
    expect(await portOf(open(mute, old))).toBe(old.port);
  });

  it('goes to the newest also where a standby is asked with the others, and one that refuses the login', {
    timeout,
  }, async () => {
    expect(await portOf(open(stranger, standby, old, next))).toBe(next.port);
  });

  it('is not waited for by one who closes', { timeout }, async () => {
    const database = open(old, mute);
    databases = [];
    const before = mute.openConnections();
    const reading = portOf(database).catch((error: unknown) => error);
    await waitUntil('it to be asked', () => mute.openConnections() > before);
    const sinceMs = Date.now();
    await database.close();
    expect(await reading).toBeInstanceOf(Outage);
    expect(Date.now() - sinceMs).toBeLessThan(2_000);
  });
});

describe('a login that is refused', () => {
  it('ends nothing while another host may yet be promoted, and all once every host refuses it', {
    timeout,
  }, async () => {
    await expect(portOf(open(stranger, standby))).rejects.toMatchObject({ retryable: true });
    await expect(portOf(open(standby, stranger))).rejects.toMatchObject({ retryable: true });
    await expect(portOf(open(stranger, stranger))).rejects.toMatchObject({ retryable: false });
    await expect(portOf(open(stranger))).rejects.toMatchObject({ retryable: false });
  });

  it('ends nothing either by a host that is asked last when the primary is gone', { timeout }, async () => {
    const way = await startTcpProxy({ host: '127.0.0.1', port: next.port });
    const database = open(way, stranger);
    expect(await portOf(database)).toBe(next.port);
    await way.stop();
    // Each round begins with the host at which the last one ended.
    for (let round = 0; round < 4; round++) {
      await expect(portOf(database)).rejects.toMatchObject({ retryable: true });
    }
  });
});
