// The configuration of one Patroni member, as docs/operate/high-availability.md recommends it.
import { join } from 'node:path';
import type { InstalledPatroni } from './installed.ts';

/** Where a member listens, on 127.0.0.1. */
export interface Ports {
  readonly postgres: number;
  readonly rest: number;
}

export interface PatroniConfigOptions {
  readonly name: string;
  readonly folder: string;
  readonly programs: InstalledPatroni;
  readonly ports: Ports;
  /** What others are shown, and where etcd is: the lines before each of them. */
  readonly shown: { readonly peers: number; readonly rest: number; readonly etcd: number };
  readonly password: string;
}

/**
 * The shortest times that Patroni takes well: its default lease of 30 s would make each failover ten seconds longer. Seconds.
 * A lease has to outlast one round and two attempts.
 */
const times = { ttl: 20, loop_wait: 4, retry_timeout: 5 };

const parameters = {
  max_connections: 200,
  shared_buffers: '32MB',
  max_wal_size: '96MB',
  min_wal_size: '32MB',
  wal_keep_size: '64MB',
  wal_retrieve_retry_interval: 500,
  // Whole statements, by which a run sees what waits for a standby.
  track_activity_query_size: 16_384,
  dynamic_shared_memory_type: 'mmap',
  // The log is Patroni's.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
};

export function patroniConfig(options: PatroniConfigOptions): object {
  const { name, folder, programs, ports, shown, password } = options;
  const account = (username: string) => ({ username, password });
  return {
    scope: 'ducat',
    name,
    restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${shown.rest}` },
    // By the older interface of etcd: over the newer one this version's leader takes the lead back from another one when it
    // wakes up behind its lease (docs/operate/high-availability.md). With proxies, Patroni asks etcd for no addresses that
    // would lead past the line.
    etcd: { host: `127.0.0.1:${shown.etcd}`, use_proxies: true },
    bootstrap: {
      dcs: {
        ...times,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['all', 'replication'].map((what) => `host ${what} all 127.0.0.1/32 scram-sha-256`),
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: `127.0.0.1:${shown.peers}`,
      data_dir: join(folder, 'data'),
      bin_dir: programs.postgresPrograms,
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: account('postgres'), replication: account('replicator') },
      parameters: { unix_socket_directories: folder },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}
