// COMMITs in doubt: sent, and not answered in time. Each keeps its place in the pool until its server has ended the session.
import type pg from 'pg';
import type { Hosts } from './primary-client.ts';

/** How long the server may take to report the state of the held sessions. */
const QUERY_TIMEOUT_MS = 3_000;
const OUR_LOGIN = { text: 'SET ROLE NONE', query_timeout: QUERY_TIMEOUT_MS };

/** The least pause between two discoveries of the primary, because each opens a session on every host. */
const DISCOVERY_PAUSE_MS = 1_000;

/** The sleep of the World. Resolves after the time, or at once when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
/** For commands and tests, which discover the primary too seldom to need a pause. */
export const noPause: Sleep = async () => undefined;

/**
 * A session that waits for its standby does not notice that its client has gone. If the pool gave the place to a new
 * connection, the new one would wait as well, and so on until the server had no session left. So the connection of a
 * COMMIT in doubt keeps its place until the server has ended the session, or no longer has it.
 */
export class InDoubtCommits {
  readonly #hosts: Hosts;
  readonly #options: pg.ClientConfig;
  readonly #held = new Set<pg.PoolClient>();
  /** Each COMMIT under way, with the time at which `areAnswered` first saw it; null before that. */
  readonly #underWay = new Map<pg.PoolClient, number | null>();
  readonly #sleep: Sleep;
  readonly #closing = new AbortController();
  #probing: pg.Client | null = null;
  /** True while a discovery runs and during the pause after it. */
  #isDiscovering = false;
  #isRequestedAgain = false;

  /** `options` are for the connection that probes the hosts. `sleep` is the World's. */
  constructor(hosts: Hosts, options: pg.ClientConfig, sleep: Sleep = noPause) {
    this.#hosts = hosts;
    this.#options = options;
    this.#sleep = sleep;
  }

  /** Whether a connection is held for a COMMIT in doubt. */
  get holds(): boolean {
    return this.#held.size > 0;
  }

  /** A COMMIT is about to be sent on this connection. */
  begin(client: pg.PoolClient): void {
    this.#underWay.set(client, null);
  }

  /** The COMMIT on this connection has ended. */
  end(client: pg.PoolClient): void {
    this.#underWay.delete(client);
  }

  /**
   * False while a COMMIT is under way that a call of this function first saw `withinS` ago or earlier. `now` in Unix
   * seconds.
   */
  areAnswered(now: number, withinS: number): boolean {
    for (const [client, since] of this.#underWay) if (since === null) this.#underWay.set(client, now);
    return [...this.#underWay.values()].every((since) => now - (since ?? now) < withinS);
  }

  /** A statement on this connection got no response, so another host may be the primary by now. */
  onNoResponse(client: pg.PoolClient): void {
    this.#hosts.silence(client);
    this.discoverPrimary();
  }

  /** Called instead of a release. The connection goes back to the pool once its COMMIT has ended. */
  hold(client: pg.PoolClient): void {
    if (this.#closing.signal.aborted || this.#hosts.sessionOf(client) === null) {
      this.end(client);
      return client.release(true);
    }
    this.#held.add(client);
    const release = (): void => {
      client.off('drain', release);
      client.off('end', release);
      this.#held.delete(client);
      this.end(client);
      client.release(true);
    };
    // `drain` is the late response, `end` the end of the connection.
    client.once('drain', release);
    client.once('end', release);
  }

  /**
   * Probes all hosts for a new primary, and asks the primary for the held sessions. If another host is the primary now,
   * the connections to the old one are cut. One discovery runs at a time. Requests meanwhile are answered by one more
   * discovery after a pause.
   */
  discoverPrimary(): void {
    this.#isRequestedAgain = this.#isDiscovering;
    if (this.#isDiscovering || this.#closing.signal.aborted) return;
    this.#isDiscovering = true;
    void this.#discoverOnce();
  }

  /** Cuts the held connections and ends a discovery. Nothing is held or discovered afterwards. */
  close(): void {
    this.#closing.abort();
    if (this.#probing !== null) this.#hosts.cut(this.#probing);
    for (const client of this.#held) this.#hosts.cut(client);
  }

  async #discoverOnce(): Promise<void> {
    await this.#probe(this.#hosts.othersFirst());
    await this.#sleep(DISCOVERY_PAUSE_MS, this.#closing.signal);
    this.#isDiscovering = false;
    if (this.#isRequestedAgain) this.discoverPrimary();
  }

  async #probe(places: readonly number[]): Promise<void> {
    for (const place of places) {
      if (this.#closing.signal.aborted) break;
      const client = new this.#hosts.Client(this.#options, place);
      this.#probing = client;
      try {
        await client.connect();
        await this.#cutEnded(client);
        break;
      } catch {
        // The next host is probed, or the next discovery tries again.
      } finally {
        void client.end().catch(() => undefined);
      }
    }
    this.#probing = null;
  }

  /**
   * Cuts the held connections whose sessions their server no longer runs, because no response can come on them. A
   * session that is still at work is waited for, and so is one whose state the server hides. The query runs as our
   * login (SET ROLE NONE), because a server shows a session's state only to its own login, and ours may work as another
   * role.
   */
  async #cutEnded(client: pg.Client): Promise<void> {
    const held = [...this.#held];
    const query = {
      text: `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND usename = session_user
        AND coalesce(state, 'disabled') IN ('active', 'disabled')`,
      values: [held.map((one) => this.#hosts.sessionOf(one))],
      query_timeout: QUERY_TIMEOUT_MS,
    };
    await client.query(OUR_LOGIN);
    const { rows } = await client.query<{ pid: number }>(query);
    const atWork = new Set(rows.map(({ pid }) => pid));
    for (const one of held) if (!atWork.has(this.#hosts.sessionOf(one) ?? 0)) this.#hosts.cut(one);
  }
}
