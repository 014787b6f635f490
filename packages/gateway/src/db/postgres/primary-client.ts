// Connections to whichever of several hosts is the primary now; those to an old primary are dropped together.
import pg from 'pg';
import { askHost, HOST_TIMEOUT_MS } from './ask-host.ts';
import { FirstLook } from './first-look.ts';
import { PrimaryChoice } from './primary-choice.ts';
import { type OnNews, PrimaryNews } from './primary-news.ts';
import { Sessions } from './sessions.ts';

/** The hosts of one database, and which of them was the primary last. */
export interface Hosts {
  readonly urls: readonly string[];
  /** To be waited for before any connection: why no host can be worked on, nothing where one can. */
  firstLook(): Promise<readonly unknown[]>;
  /** How often another host was turned to, so that whoever failed can tell whether there is another to try. */
  turns(): number;
  /** Makes connections for the pool, each to the host that was the primary last, or to the one in this place. */
  readonly Client: new (
    options?: pg.ClientConfig,
    place?: number,
  ) => pg.Client;
  /** Places of all hosts, in the order in which they are asked whether another one is the primary by now. */
  othersFirst(): readonly number[];
  /** A connection that got no answer speaks for its host no longer. */
  silence(client: pg.ClientBase): void;
  /** By which its server knows the session; null once the connection has ended. */
  sessionOf(client: pg.ClientBase): number | null;
  /** Ends a connection without a word. */
  cut(client: pg.ClientBase): void;
  /** Ends a first look that is under way. */
  close(): void;
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

const brokenBy = new WeakMap<pg.ClientBase, Error>();

/** Why a connection broke, in the server's own words where it had any; null while it did not. */
export function causeOfBreak(client: pg.ClientBase): Error | null {
  return brokenBy.get(client) ?? null;
}

export function createHosts(urls: readonly string[], onNews: OnNews): Hosts {
  const choice = new PrimaryChoice(urls.length);
  const sessions = new Sessions(choice);
  const look = new FirstLook(urls, choice);
  return {
    urls,
    firstLook: () => look.failures(),
    turns: () => choice.turns,
    Client: clientOf({ urls, choice, sessions, news: new PrimaryNews(urls.length, onNews) }),
    othersFirst: () => choice.othersFirst(),
    silence: (client) => sessions.silence(client),
    sessionOf: (client) => sessions.of(client)?.pid ?? null,
    cut: (client) => {
      if (client instanceof pg.Client) client.connection.stream.destroy();
    },
    close: () => look.close(),
  };
}

interface Parts {
  readonly urls: readonly string[];
  readonly choice: PrimaryChoice;
  readonly sessions: Sessions;
  readonly news: PrimaryNews;
}

function clientOf({ urls, choice, sessions, news }: Parts): Hosts['Client'] {
  // A single host that was taken without its timeline is not asked for it again: each time is an error in its log.
  let asksTimeline = true;
  return class HostClient extends pg.Client {
    readonly place: number;

    constructor(options?: pg.ClientConfig, place = choice.place) {
      const patience = urls.length > 1 ? { connectionTimeoutMillis: HOST_TIMEOUT_MS } : {};
      super({ ...options, ...patience, connectionString: addressOf(urls[place] ?? '', options?.options) });
      this.place = place;
      // From the first moment on: the pool listens only to connections that it holds idle, and an error that nobody
      // hears ends the process. Whoever uses the connection meets it at the next statement.
      this.on('error', (error) => void (brokenBy.has(this) || brokenBy.set(this, error)));
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: OnConnected): void;
    override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
      if (callback === undefined) return this.#connectToPrimary();
      // The declared type is one of two functions; the pool gives one that takes what either takes.
      void tell(this.#connectToPrimary(), callback as (error: unknown, client?: pg.Client) => void);
      return undefined;
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      // A host that vanished never says that the connection has ended.
      sessions.silence(this);
      if (callback === undefined) return super.end();
      super.end(callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect();
        // One of several is not believed without its timeline.
        const alone = asksTimeline ? 'timeline-if-told' : 'no-timeline';
        const { standing, pid, durability } = await askHost(this, urls.length > 1 ? 'timeline' : alone);
        sessions.begin(this, { place: this.place, standing, pid });
        asksTimeline = standing.timeline > 0;
        const { host } = new URL(urls[this.place] ?? '');
        news.found({ host, timeline: standing.timeline, durability });
        return this;
      } catch (error) {
        sessions.failed(this.place, isFull(error));
        this.connection.stream.destroy();
        throw error;
      }
    }
  };
}

/** What the address says stands before our own settings for some connections; the driver would take the one for the other. */
function addressOf(url: string, settings?: string): string {
  if (settings === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('options', `${address.searchParams.get('options') ?? ''} ${settings}`);
  return address.href;
}

async function tell(
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

/** It has no connection left, but lives: a server, or a PgBouncer, which has one SQLSTATE for all that it refuses. */
function isFull(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return (
    error.code === '53300' ||
    (error.code === '08P01' && error.message.startsWith('no more connections allowed'))
  );
}
