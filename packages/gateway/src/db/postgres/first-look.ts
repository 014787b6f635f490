// Before the first connection all of several hosts are asked side by side, so that no start takes an old primary.
import pg from 'pg';
import { askHost, HOST_TIMEOUT_MS } from './ask-host.ts';
import { NotPrimary, type Opened, type PrimaryChoice } from './primary-choice.ts';

export class FirstLook {
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
   * Returns at once where the hosts are known already, or there is one. Gives why each host is none to work on where
   * all are, else nothing: the choice then begins with the newest.
   */
  async failures(): Promise<readonly unknown[]> {
    if (this.#urls.length === 1 || this.#choice.isMade || this.#closed) return [];
    this.#underWay ??= this.#askAll().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  /** From now on nobody is waited for. */
  close(): void {
    this.#closed = true;
    for (const client of this.#open) client.connection.stream.destroy();
  }

  async #askAll(): Promise<readonly unknown[]> {
    const answers = await Promise.allSettled(this.#urls.map((url, place) => this.#ask(url, place)));
    this.#choice.beginWith(answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    return this.#choice.isMade
      ? []
      : answers.map((one) =>
          one.status === 'rejected' ? one.reason : new NotPrimary('this server takes no writes'),
        );
  }

  async #ask(url: string, place: number): Promise<Opened> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: HOST_TIMEOUT_MS });
    client.on('error', () => undefined);
    client.once('end', () => this.#open.delete(client));
    this.#open.add(client);
    try {
      await client.connect();
      const { standing } = await askHost(client, 'timeline');
      return { place, standing };
    } finally {
      // One that vanishes meanwhile never ends it, until we close.
      void client.end().catch(() => undefined);
    }
  }
}
