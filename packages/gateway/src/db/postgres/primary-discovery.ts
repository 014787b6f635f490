// Discovery of the primary before the first connection: all hosts are probed at once, so that no start takes an old one.
import pg from 'pg';
import { NotPrimary, type Opened, type PrimaryChoice } from './primary-choice.ts';
import { HOST_TIMEOUT_MS, probeHost } from './probe-host.ts';

export class PrimaryDiscovery {
  readonly #urls: readonly string[];
  readonly #choice: PrimaryChoice;
  readonly #open = new Set<pg.Client>();
  #underWay: Promise<readonly unknown[]> | null = null;
  #closed = false;

  constructor(urls: readonly string[], choice: PrimaryChoice) {
    this.#urls = urls;
    this.#choice = choice;
  }

  /**
   * Probes all hosts, unless a primary is known or there is only one host. If a primary is found, the choice begins
   * with the newest and the result is empty. Otherwise returns for each host why it is no primary.
   */
  async failures(): Promise<readonly unknown[]> {
    if (this.#urls.length === 1 || this.#choice.isMade || this.#closed) return [];
    this.#underWay ??= this.#probeAll().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  /** Ends a discovery that is under way. No host is probed afterwards. */
  close(): void {
    this.#closed = true;
    for (const client of this.#open) client.connection.stream.destroy();
  }

  async #probeAll(): Promise<readonly unknown[]> {
    const results = await Promise.allSettled(this.#urls.map((url, place) => this.#probe(url, place)));
    this.#choice.beginWith(results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    return this.#choice.isMade
      ? []
      : results.map((one) =>
          one.status === 'rejected' ? one.reason : new NotPrimary('this server takes no writes'),
        );
  }

  async #probe(url: string, place: number): Promise<Opened> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: HOST_TIMEOUT_MS });
    client.on('error', () => undefined);
    client.once('end', () => this.#open.delete(client));
    this.#open.add(client);
    try {
      await client.connect();
      const { standing } = await probeHost(client, 'required');
      return { place, standing };
    } finally {
      // A host that vanishes meanwhile never closes the connection. `close` destroys it.
      void client.end().catch(() => undefined);
    }
  }
}
