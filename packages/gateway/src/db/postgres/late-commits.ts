// COMMITs without an answer: each keeps its place in the pool while its server has it, and the reason is asked for.
import type pg from 'pg';
import type { Hosts } from './primary-client.ts';

/** How long the server may take to say what became of sessions. */
const ASK_TIMEOUT_MS = 3_000;
const OUR_LOGIN = { text: 'SET ROLE NONE', query_timeout: ASK_TIMEOUT_MS };

/** From the end of one look at the hosts to the next, at the least: each is a session on each of them. */
const LOOK_PAUSE_MS = 1_000;

/** The World's: resolves after the time, or at once when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
/** For whoever looks too seldom to need one. */
export const noPause: Sleep = async () => undefined;

/**
 * A session that waits for its standby does not notice that its client has gone. Were its place in the pool given to
 * another, that one would wait as well, until the server had no session left for anybody.
 */
export class LateCommits {
  readonly #hosts: Hosts;
  readonly #options: pg.ClientConfig;
  readonly #held = new Set<pg.PoolClient>();
  /** Each COMMIT under way, and when `areAnswered` met it first. */
  readonly #underWay = new Map<pg.PoolClient, number | null>();
  readonly #sleep: Sleep;
  readonly #closing = new AbortController();
  #asking: pg.Client | null = null;
  /** Or rests from it. */
  #isLooking = false;
  #isAskedAgain = false;

  /** `options` are those of a connection of its own, to ask on; `sleep` is the World's. */
  constructor(hosts: Hosts, options: pg.ClientConfig, sleep: Sleep = noPause) {
    this.#hosts = hosts;
    this.#options = options;
    this.#sleep = sleep;
  }

  /** Whether a connection waits for the end of its COMMIT. */
  get holds(): boolean {
    return this.#held.size > 0;
  }

  /** A COMMIT is sent on it. */
  begin(client: pg.PoolClient): void {
    this.#underWay.set(client, null);
  }

  /** It waits for nothing any more. */
  end(client: pg.PoolClient): void {
    this.#underWay.delete(client);
  }

  /** Whether none waits that was met `withinS` ago or more: so long at least it has waited. `now` in Unix seconds. */
  areAnswered(now: number, withinS: number): boolean {
    for (const [client, since] of this.#underWay) if (since === null) this.#underWay.set(client, now);
    return [...this.#underWay.values()].every((since) => now - (since ?? now) < withinS);
  }

  /** A statement on it got no answer: another host may be the primary by now. */
  doubt(client: pg.PoolClient): void {
    this.#hosts.silence(client);
    this.look();
  }

  /** In place of its release: the connection is given back once its COMMIT has ended. */
  hold(client: pg.PoolClient): void {
    if (this.#closing.signal.aborted || this.#hosts.sessionOf(client) === null) {
      this.end(client);
      return client.release(true);
    }
    this.#held.add(client);
    const giveBack = (): void => {
      client.off('drain', giveBack);
      client.off('end', giveBack);
      this.#held.delete(client);
      this.end(client);
      client.release(true);
    };
    // The one is the late answer, the other the end of the connection.
    client.once('drain', giveBack);
    client.once('end', giveBack);
  }

  /**
   * Asks all hosts whether another one is the primary by now, which cuts what is open to the old one, and the primary
   * whether it still has the sessions. One look is under way at the most, and one more follows after a pause for whoever
   * came meanwhile.
   */
  look(): void {
    this.#isAskedAgain = this.#isLooking;
    if (this.#isLooking || this.#closing.signal.aborted) return;
    this.#isLooking = true;
    void this.#lookOnce();
  }

  /** From now on nothing is waited for. */
  close(): void {
    this.#closing.abort();
    if (this.#asking !== null) this.#hosts.cut(this.#asking);
    for (const client of this.#held) this.#hosts.cut(client);
  }

  async #lookOnce(): Promise<void> {
    await this.#askHosts(this.#hosts.othersFirst());
    await this.#sleep(LOOK_PAUSE_MS, this.#closing.signal);
    this.#isLooking = false;
    if (this.#isAskedAgain) this.look();
  }

  async #askHosts(places: readonly number[]): Promise<void> {
    for (const place of places) {
      if (this.#closing.signal.aborted) break;
      const client = new this.#hosts.Client(this.#options, place);
      this.#asking = client;
      try {
        await client.connect();
        await this.#cutGone(client);
        break;
      } catch {
        // The next host is asked, or the next look asks again.
      } finally {
        void client.end().catch(() => undefined);
      }
    }
    this.#asking = null;
  }

  /**
   * A session that its server no longer has at work left its connection dead; one that is at work is waited for, and so
   * is one of which the server does not tell. It tells us of those of our login, which may work as another role.
   */
  async #cutGone(client: pg.Client): Promise<void> {
    const held = [...this.#held];
    const question = {
      text: `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND usename = session_user
        AND coalesce(state, 'disabled') IN ('active', 'disabled')`,
      values: [held.map((one) => this.#hosts.sessionOf(one))],
      query_timeout: ASK_TIMEOUT_MS,
    };
    await client.query(OUR_LOGIN);
    const { rows } = await client.query<{ pid: number }>(question);
    const atWork = new Set(rows.map(({ pid }) => pid));
    for (const one of held) if (!atWork.has(this.#hosts.sessionOf(one) ?? 0)) this.#hosts.cut(one);
  }
}
