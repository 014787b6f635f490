// Connections to whichever of several hosts is the primary now; those to an old primary are dropped together.
import pg from 'pg';
import { type Durability, DURABILITY_COLUMNS } from './durability.ts';
import { NotPrimary, PrimaryChoice } from './primary-choice.ts';
import { type OnNews, PrimaryNews } from './primary-news.ts';
import { Sessions } from './sessions.ts';

/** How long one of several hosts may take to be reached and to say what it is. */
const HOST_TIMEOUT_MS = 3_000;

/** The hosts of one database, and which of them was the primary last. */
export interface Hosts {
  readonly urls: readonly string[];
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
}

/** What a server says of itself. */
interface Answer extends Durability {
  readonly refuses: boolean;
  readonly timeline: string;
  readonly pid: number;
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

const brokenBy = new WeakMap<pg.ClientBase, Error>();

/** Why a connection broke, in the server's own words where it had any; null while it did not. */
export function causeOfBreak(client: pg.ClientBase): Error | null {
  return brokenBy.get(client) ?? null;
}

/** Begins with the first of the addresses. */
export function createHosts(urls: readonly string[], onNews: OnNews): Hosts {
  const choice = new PrimaryChoice(urls.length);
  const sessions = new Sessions(choice);
  return {
    urls,
    turns: () => choice.turns,
    Client: clientOf({ urls, choice, sessions, news: new PrimaryNews(urls.length, onNews) }),
    othersFirst: () => choice.othersFirst(),
    silence: (client) => sessions.silence(client),
    sessionOf: (client) => sessions.of(client)?.pid ?? null,
    cut: (client) => {
      if (client instanceof pg.Client) client.connection.stream.destroy();
    },
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
        const answer = asksTimeline ? await ask(this, urls.length > 1) : await askAll(this, NO_TIMELINE);
        const { refuses, pid } = answer;
        const timeline = answer.timeline === '' ? 0 : Number.parseInt(answer.timeline, 16);
        sessions.begin(this, { place: this.place, standing: { refuses, timeline }, pid });
        asksTimeline = timeline > 0;
        const { host } = new URL(urls[this.place] ?? '');
        news.found({ host, timeline, durability: answer });
        return this;
      } catch (error) {
        sessions.failed(this.place, error instanceof pg.DatabaseError && error.code === FULL);
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

/** The server has no connection left, but lives. */
const FULL = '53300';
const NO_TIMELINE = `''`;

/** A provider's server may refuse to tell its timeline. Alone it is believed without, one of several is not. */
async function ask(client: pg.Client, isOneOfSeveral: boolean): Promise<Answer> {
  try {
    return await askAll(client, `left(pg_walfile_name(pg_current_wal_lsn()), 8)`);
  } catch (error) {
    if (isOneOfSeveral || !(error instanceof pg.DatabaseError) || causeOfBreak(client) !== null) throw error;
    return askAll(client, NO_TIMELINE);
  }
}

/**
 * Sets, in the same round trip, that warnings are sent, whatever the role or the address say: a warning is the only
 * sign of a COMMIT that no standby has; that the server gives up a client that takes nothing for 20 s, because its
 * transaction keeps its locks until then; and how transactions are kept apart, which our locks are made for. The
 * timeline is taken from the log that is written now, since what the server's control file says is older than a
 * promotion.
 */
async function askAll(client: pg.Client, timeline: string): Promise<Answer> {
  const question = {
    text: `SELECT set_config('client_min_messages', 'warning', false), set_config('tcp_user_timeout', '20000', false),
        set_config('default_transaction_isolation', 'read committed', false),
        pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "refuses",
        CASE WHEN pg_is_in_recovery() THEN '' ELSE ${timeline} END AS "timeline",
        pg_backend_pid() AS "pid", ${DURABILITY_COLUMNS}`,
    query_timeout: HOST_TIMEOUT_MS,
  };
  const { rows } = await client.query<Answer>(question);
  const [row] = rows;
  if (row === undefined) throw new NotPrimary('this server does not say what it is');
  return row;
}
