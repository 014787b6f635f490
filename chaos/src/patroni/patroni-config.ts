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
  /** Ports of the proxies: those by which other members reach this one, and the one to etcd. */
  readonly shown: { readonly peers: number; readonly rest: number; readonly etcd: number };
  readonly password: string;
}

/**
 * In seconds, the shortest that Patroni takes well: its default lease of 30 s would make each failover ten seconds longer.
 * The lease (`ttl`) has to be longer than one round and two attempts together.
 */
const times = { ttl: 20, loop_wait: 4, retry_timeout: 5 };

const parameters = {
  max_connections: 200,
  shared_buffers: '32MB',
  max_wal_size: '96MB',
  min_wal_size: '32MB',
  wal_keep_size: '64MB',
  wal_retrieve_retry_interval: 500,
  // Long enough for whole statements, by which a run sees which COMMITs wait for a standby.
  track_activity_query_size: 16_384,
  dynamic_shared_memory_type: 'mmap',
  // Leaves the log to Patroni's own lines.
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
    // The older interface of etcd. Over the newer one, Patroni 3.0.2 lets a leader that wakes up after its lease take the
    // lead back from another member (docs/operate/high-availability.md). `use_proxies` keeps Patroni from asking etcd for
    // its addresses, by which it would bypass the proxy.
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
