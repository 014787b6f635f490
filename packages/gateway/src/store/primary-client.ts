// Connections to whichever of several hosts is the primary now; those to an old primary are dropped together.
import pg from 'pg';

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

/** A server that answered, but takes no writes: a standby, or a primary that was told to refuse them. */
class NotPrimary extends Error {
  override readonly name = 'NotPrimary';
}

/** Begins with the first of the addresses. */
export function createHosts(urls: readonly string[]): Hosts {
  let place = 0;
  let turns = 0;
  const open = new Set<HostClient>();

  /** Turns to the next host, unless somebody who failed at the same one has done so. */
  const turnFrom = (failed: number): void => {
    if (failed !== place) return;
    place = (place + 1) % urls.length;
    turns++;
  };

  /** There is one primary: a connection to another host is one to its past, and what it still answers is history. */
  const dropOthers = (primary: number): void => {
    for (const client of open) if (client.place !== primary) client.connection.stream.destroy();
  };

  class HostClient extends pg.Client {
    readonly place = place;

    constructor(options?: pg.ClientConfig) {
      const patience = urls.length > 1 ? { connectionTimeoutMillis: HOST_TIMEOUT_MS } : {};
      super({ ...options, ...patience, connectionString: urls[place] });
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
        await refuseStandby(this);
      } catch (error) {
        turnFrom(this.place);
        this.connection.stream.destroy();
        throw error;
      }
      open.add(this);
      this.once('end', () => open.delete(this));
      dropOthers(this.place);
      return this;
    }
  }

  return { urls, turns: () => turns, Client: HostClient };
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

async function refuseStandby(client: pg.Client): Promise<void> {
  const question = {
    text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "refuses"`,
    query_timeout: HOST_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ refuses: boolean }>(question);
  if (rows[0]?.refuses !== false) throw new NotPrimary('this server takes no writes');
}
