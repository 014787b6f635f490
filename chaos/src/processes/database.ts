// The database of a run: a primary with a synchronous standby, each behind a proxy, both to be killed and replaced.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '@ducat/devnet/postgres/commits';
import type { PostgresProxy } from '@ducat/devnet/postgres/proxy';
import { startPostgresProxy } from '@ducat/devnet/postgres/proxy';
import type { RunningPostgres } from '@ducat/devnet/postgres/postgres';
import { startPostgres } from '@ducat/devnet/postgres/postgres';
import type { StandbyPostgres } from '@ducat/devnet/postgres/standby';
import { startStandby, synchronousSettings } from '@ducat/devnet/postgres/standby';
import type { Target, TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { startTcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { queryAt } from './query-at.ts';
import type { Reaper } from './reaper.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';

const NAME = 'ducat';

const synchronous = {
  ...synchronousSettings,
  max_connections: 200,
  wal_keep_size: '64MB',
  max_wal_size: '96MB',
  min_wal_size: '32MB',
  shared_buffers: '32MB',
  // A standby that lost its primary connects again at once.
  wal_retrieve_retry_interval: 200,
  // Long enough for whole statements, by which a run sees which COMMITs wait for the standby.
  track_activity_query_size: 16_384,
};

/** No COMMIT waits for the standby, which then lacks what the primary acknowledged last. */
const asynchronous = { ...synchronous, synchronous_standby_names: '' };

export interface DatabaseOptions {
  readonly isSynchronous: boolean;
  /** Called for every COMMIT of the gateway. */
  readonly onCommit: (commit: Commit) => void;
}

interface Place {
  readonly disk: SmallDisk;
  readonly proxy: PostgresProxy;
  /** The folder of the server that has this place now. */
  dataDir: string;
}

/** Primary and standby as one database. */
export class ReplicatedDatabase {
  readonly isSynchronous: boolean;
  readonly #reaper: Reaper;
  readonly #settings: typeof synchronous;
  readonly #places: readonly [Place, Place];
  /** Between the primary and its standby, as a network would be. */
  readonly #stream: TcpProxy;
  #primary: RunningPostgres;
  #standby: StandbyPostgres;
  /** Which of the two places the primary has. */
  #at: 0 | 1 = 0;
  #made = 2;

  private constructor(
    reaper: Reaper,
    isSynchronous: boolean,
    stream: TcpProxy,
    places: readonly [Place, Place],
    [primary, standby]: readonly [RunningPostgres, StandbyPostgres],
  ) {
    this.isSynchronous = isSynchronous;
    this.#reaper = reaper;
    this.#settings = settingsOf(isSynchronous);
    this.#places = places;
    this.#stream = stream;
    this.#primary = primary;
    this.#standby = standby;
  }

  static async start(
    folder: string,
    reaper: Reaper,
    { isSynchronous, onCommit }: DatabaseOptions,
  ): Promise<ReplicatedDatabase> {
    const settings = settingsOf(isSynchronous);
    const disks = ['one', 'other'].map((name) => openSmallDisk(join(folder, name), reaper));
    const [first, second] = disks;
    if (first === undefined || second === undefined) throw new Error('a pair has two places');
    const dataDirs = [join(first.folder, 'server-1'), join(second.folder, 'server-2')] as const;
    const primary = await startPostgres({ dataDir: dataDirs[0], settings });
    reaper.born(primary.pid);
    const stream = await startTcpProxy(streamOf(primary));
    const follow = { primary, dataDir: dataDirs[1], settings, streamPort: stream.port };
    const standby = await startStandby(follow);
    reaper.born(standby.pid);
    const places: [Place, Place] = [
      { disk: first, proxy: await startPostgresProxy(primary.port, onCommit), dataDir: dataDirs[0] },
      { disk: second, proxy: await startPostgresProxy(standby.port, onCommit), dataDir: dataDirs[1] },
    ];
    const database = new ReplicatedDatabase(reaper, isSynchronous, stream, places, [primary, standby]);
    await database.query(`create database ${NAME}`, [], 'postgres');
    return database;
  }

  /** The database URL of the gateways: both places, always in this order, whichever of them is the primary. */
  get url(): string {
    const { username, password } = new URL(this.#primary.url);
    const hosts = this.#places.map(({ proxy }) => `127.0.0.1:${proxy.port}`).join(',');
    return `postgres://${username}:${password}@${hosts}/${NAME}`;
  }

  /** The primary's URL without the proxy, for the run itself and for its reader. */
  directUrl(database = NAME): string {
    const url = new URL(this.#primary.url);
    url.pathname = `/${database}`;
    return url.href;
  }

  /** The proxy before the primary. */
  get proxy(): PostgresProxy {
    return this.#places[this.#at].proxy;
  }

  get disk(): SmallDisk {
    return this.#places[this.#at].disk;
  }

  /** Runs one statement on the current primary; throws while there is none. */
  async query<Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
    database = NAME,
  ): Promise<Row[]> {
    return queryAt<Row>(this.directUrl(database), sql, values);
  }

  /** kill -9 of the server, and its start on the same files. */
  async killAndRestart(): Promise<void> {
    await this.#primary.kill();
    await this.#restart();
  }

  /** Starts the server again if it has ended by itself. */
  async restartIfDown(): Promise<boolean> {
    try {
      await this.query('select 1');
      return false;
    } catch {
      await this.killAndRestart();
      return true;
    }
  }

  async #restart(): Promise<void> {
    this.#reaper.gone(this.#primary.pid);
    const { dataDir } = this.#places[this.#at];
    const { port } = this.#primary;
    // The same port, because the standby looks for its primary there.
    this.#primary = await startPostgres({ dataDir, settings: this.#settings, port });
    this.#reaper.born(this.#primary.pid);
  }

  /**
   * Kills the primary (kill -9) and cuts its stream to the standby. The standby is promoted, and a new one is made from it.
   * With `whileHeld`, the stream is held while that function runs. Everything that is written meanwhile is lost, because
   * the standby does not receive it.
   */
  async failOver(whileHeld?: () => Promise<void>): Promise<void> {
    if (whileHeld !== undefined) this.#stream.setTrouble({ hold: true });
    try {
      await whileHeld?.();
      await this.#primary.kill();
      this.#stream.cut();
    } finally {
      this.#stream.setTrouble({});
    }
    this.#reaper.gone(this.#primary.pid);
    await this.#standby.promote();
    this.#primary = this.#standby;
    this.#stream.retarget(streamOf(this.#primary));
    this.#at = this.#at === 0 ? 1 : 0;
    await this.#followWithFresh();
  }

  /** kill -9 of the standby, and a new one in its place; until that follows, no COMMIT is answered. */
  async replaceStandby(): Promise<void> {
    await this.#standby.kill();
    this.#reaper.gone(this.#standby.pid);
    await this.#followWithFresh();
  }

  async #followWithFresh(): Promise<void> {
    const place = this.#places[this.#at === 0 ? 1 : 0];
    rmSync(place.dataDir, { recursive: true, force: true });
    this.#made += 1;
    place.dataDir = join(place.disk.folder, `server-${this.#made}`);
    this.#standby = await startStandby({
      primary: this.#primary,
      dataDir: place.dataDir,
      settings: this.#settings,
      streamPort: this.#stream.port,
    });
    this.#reaper.born(this.#standby.pid);
    place.proxy.retarget(this.#standby.port);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#stream, ...this.#places.map(({ proxy }) => proxy)].map((one) => one.stop()));
    for (const server of [this.#standby, this.#primary]) {
      await server.kill();
      this.#reaper.gone(server.pid);
    }
  }
}

function settingsOf(isSynchronous: boolean): typeof synchronous {
  return isSynchronous ? synchronous : asynchronous;
}

function streamOf({ port }: RunningPostgres): Target {
  return { host: '127.0.0.1', port };
}
