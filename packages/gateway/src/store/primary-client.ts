// Connections to whichever of several hosts is the primary now; those to an old primary are dropped together.
import pg from 'pg';
import { NotPrimary, type Opened, PrimaryChoice, type Standing } from './primary-choice.ts';

/** How long one of several hosts may take to be reached and to say what it is. */
const HOST_TIMEOUT_MS = 3_000;

/** The hosts of one database, and which of them was the primary last. */
export interface Hosts {
  readonly urls: readonly string[];
  /** How often another host was turned to, so that whoever failed can tell whether there is another to try. */
  turns(): number;
  /** Makes connections for the pool, each to the host that was the primary last. */
  readonly Client: new () => pg.Client;
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

const brokenBy = new WeakMap<pg.ClientBase, Error>();

/** Why a connection broke, in the server's own words where it had any; null while it did not. */
export function causeOfBreak(client: pg.ClientBase): Error | null {
  return brokenBy.get(client) ?? null;
}

/** Begins with the first of the addresses. */
export function createHosts(urls: readonly string[]): Hosts {
  const choice = new PrimaryChoice(urls.length);
  const open = new Map<HostClient, Opened>();

  class HostClient extends pg.Client {
    readonly place = choice.place;

    constructor(options?: pg.ClientConfig) {
      const patience = urls.length > 1 ? { connectionTimeoutMillis: HOST_TIMEOUT_MS } : {};
      super({ ...options, ...patience, connectionString: urls[choice.place] });
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

    async #connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect();
        const standing = await ask(this, urls.length > 1);
        choice.judge(this.place, standing, [...open.values()]);
        open.set(this, { place: this.place, standing });
      } catch (error) {
        choice.turnFrom(this.place);
        this.connection.stream.destroy();
        throw error;
      }
      this.once('end', () => open.delete(this));
      for (const [client, opened] of open) if (choice.isPast(opened)) client.connection.stream.destroy();
      return this;
    }
  }

  return { urls, turns: () => choice.turns, Client: HostClient };
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

/**
 * Sets, in the same round trip, that warnings are sent, whatever the role or the address say: a warning is the only
 * sign of a COMMIT that no standby has; and that the server gives up a client that takes nothing for 20 s, because its
 * transaction keeps its locks until then. The timeline is taken from the log that is written now, since what the server's
 * control file says is older than a promotion; a server that stands alone need not be able to tell.
 */
async function ask(client: pg.Client, isOneOfSeveral: boolean): Promise<Standing> {
  const timeline = isOneOfSeveral ? `left(pg_walfile_name(pg_current_wal_lsn()), 8)` : `''`;
  const question = {
    text: `SELECT set_config('client_min_messages', 'warning', false), set_config('tcp_user_timeout', '20000', false),
        pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "refuses",
        CASE WHEN pg_is_in_recovery() THEN '' ELSE ${timeline} END AS "timeline"`,
    query_timeout: HOST_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ refuses: boolean; timeline: string }>(question);
  const [row] = rows;
  if (row === undefined) throw new NotPrimary('this server does not say what it is');
  return { refuses: row.refuses, timeline: row.timeline === '' ? 0 : Number.parseInt(row.timeline, 16) };
}
