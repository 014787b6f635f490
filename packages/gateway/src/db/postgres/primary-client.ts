// Connections to whichever of several hosts is the primary now; those to an old primary are dropped together.
import pg from 'pg';
import { type OnNotice, PrimaryChanges } from './primary-changes.ts';
import { PrimaryChoice } from './primary-choice.ts';
import { PrimaryDiscovery } from './primary-discovery.ts';
import { HOST_TIMEOUT_MS, probeHost } from './probe-host.ts';
import { Sessions } from './sessions.ts';

/** The hosts of one database, and which of them was the primary last. */
export interface Hosts {
  readonly urls: readonly string[];
  /** Awaited before any connection. The reasons why no host is the primary; empty if one is. */
  discoveryFailures(): Promise<readonly unknown[]>;
  /** How often the choice moved to another host. If it rose during a failed connect, there is another host to try. */
  turns(): number;
  /** False where the server does not report its timeline, so that only a new connection shows another primary. */
  reportsTimeline(): boolean;
  /** Makes connections for the pool: to the last known primary, or to the host at `place`. */
  readonly Client: new (
    options?: pg.ClientConfig,
    place?: number,
  ) => pg.Client;
  /** Places of all hosts, in the order in which they are probed for a new primary. */
  othersFirst(): readonly number[];
  /** Marks a connection that got no response: it no longer counts as a sign that its host lives. */
  silence(client: pg.ClientBase): void;
  /** The process id of the session on its server; null once the connection has ended. */
  sessionOf(client: pg.ClientBase): number | null;
  /** Ends a connection at once. */
  cut(client: pg.ClientBase): void;
  /** Ends a discovery that is under way. */
  close(): void;
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

const brokenBy = new WeakMap<pg.ClientBase, Error>();

/** Why a connection broke: the server's own error if it sent one. Null for a connection that did not break. */
export function causeOfBreak(client: pg.ClientBase): Error | null {
  return brokenBy.get(client) ?? null;
}

export function createHosts(urls: readonly string[], onNotice: OnNotice, promotesOnlySynced = false): Hosts {
  const choice = new PrimaryChoice(urls.length);
  const sessions = new Sessions(choice);
  const discovery = new PrimaryDiscovery(urls, choice);
  const changes = new PrimaryChanges(urls.length, promotesOnlySynced, onNotice);
  const timelines = { areReported: true };
  return {
    urls,
    discoveryFailures: () => discovery.failures(),
    turns: () => choice.turns,
    reportsTimeline: () => timelines.areReported,
    Client: clientOf({ urls, choice, sessions, changes, timelines }),
    othersFirst: () => choice.othersFirst(),
    silence: (client) => sessions.silence(client),
    sessionOf: (client) => sessions.of(client)?.pid ?? null,
    cut: (client) => {
      if (client instanceof pg.Client) client.connection.stream.destroy();
    },
    close: () => discovery.close(),
  };
}

interface Parts {
  readonly urls: readonly string[];
  readonly choice: PrimaryChoice;
  readonly sessions: Sessions;
  readonly changes: PrimaryChanges;
  /** A single host without a timeline is not asked again, because each question is an error in the server's log. */
  readonly timelines: { areReported: boolean };
}

function clientOf({ urls, choice, sessions, changes, timelines }: Parts): Hosts['Client'] {
  return class HostClient extends pg.Client {
    readonly place: number;

    constructor(options?: pg.ClientConfig, place = choice.place) {
      const timeouts = urls.length > 1 ? { connectionTimeoutMillis: HOST_TIMEOUT_MS } : {};
      super({ ...options, ...timeouts, connectionString: addressOf(urls[place] ?? '', options?.options) });
      this.place = place;
      // The listener is added at once, because an error event without a listener ends the process and the pool listens
      // only while a connection is idle. The user of the connection gets the error at the next statement.
      this.on('error', (error) => void (brokenBy.has(this) || brokenBy.set(this, error)));
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: OnConnected): void;
    override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
      if (callback === undefined) return this.#connectToPrimary();
      // The declared type is a union of two functions. The pool passes one that takes the arguments of both.
      void callBack(this.#connectToPrimary(), callback as (error: unknown, client?: pg.Client) => void);
      return undefined;
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      // A host that vanished never closes the connection, so it stops counting as alive here.
      sessions.silence(this);
      if (callback === undefined) return super.end();
      super.end(callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect();
        // Among several hosts, a host without a timeline is not accepted.
        const alone = timelines.areReported ? 'optional' : 'none';
        const { standing, pid, durability } = await probeHost(this, urls.length > 1 ? 'required' : alone);
        sessions.begin(this, { place: this.place, standing, pid });
        timelines.areReported = standing.timeline > 0;
        const { host } = new URL(urls[this.place] ?? '');
        changes.connected({ host, timeline: standing.timeline, durability });
        return this;
      } catch (error) {
        sessions.failed(this.place, isFull(error));
        this.connection.stream.destroy();
        throw error;
      }
    }
  };
}

/** Appends our settings to the `options` of the address, because the driver alone would replace one by the other. */
function addressOf(url: string, settings?: string): string {
  if (settings === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('options', `${address.searchParams.get('options') ?? ''} ${settings}`);
  return address.href;
}

async function callBack(
  connected: Promise<pg.Client>,
  done: (error: unknown, client?: pg.Client) => void,
): Promise<void> {
  let client: pg.Client;
  try {
    client = await connected;
  } catch (error) {
    return done(error);
  }
  return done(null, client);
}

/**
 * Whether a server lives and has no connection left. PgBouncer has one SQLSTATE for all refusals, so its message
 * decides.
 */
function isFull(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return (
    error.code === '53300' ||
    (error.code === '08P01' && error.message.startsWith('no more connections allowed'))
  );
}
