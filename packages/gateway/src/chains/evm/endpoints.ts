// Several endpoints of one chain as one: the first that answers believably is taken, in the order configured.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../world.ts';
import type { EndpointHealth } from '../port.ts';
import { Outage } from '../../outage.ts';
import { BehindHead, Endpoint } from './endpoint.ts';
import { createRpc, type RpcObserver } from './rpc.ts';
import { splitUrl } from './url-secrets.ts';

export interface EndpointsOptions {
  readonly definition: ChainDefinition;
  readonly rpcUrls: readonly string[];
  readonly world: World;
  readonly fetch: typeof globalThis.fetch;
  readonly observer: RpcObserver | null;
}

const timeoutMs = 20_000;
const maxBodyBytes = 64 * 1024 * 1024;

export class Endpoints {
  readonly #chain: string;
  readonly #all: readonly Endpoint[];

  /** Throws Outage, not retryable, where no address or one that is no URL is given. */
  constructor({ definition, rpcUrls, world, fetch, observer }: EndpointsOptions) {
    if (rpcUrls.length === 0) throw new Outage(`${definition.name} has no RPC address`, { retryable: false });
    this.#chain = definition.name;
    this.#all = namesOf(rpcUrls).map((name, index) => {
      const url = rpcUrls[index] ?? '';
      const rpc = createRpc({ url, name, world, fetch, observer, timeoutMs, maxBodyBytes });
      return new Endpoint(rpc, definition, world);
    });
  }

  get count(): number {
    return this.#all.length;
  }

  /** The highest head that any endpoint ever told. */
  get highestHead(): number {
    return Math.max(...this.#all.map((endpoint) => endpoint.head));
  }

  health(): readonly EndpointHealth[] {
    return this.#all.map((endpoint) => endpoint.health());
  }

  /**
   * The answer of the first endpoint that gives one. Throws BehindHead where every one that was asked does not
   * have the block yet, else Outage with what each one did.
   */
  async ask<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    const [answer] = await this.askSeveral(1, async (endpoint) => ({ value: await work(endpoint) }));
    if (answer === undefined) throw this.#outage([]);
    return answer.value;
  }

  /** As `ask`, from that many different endpoints. */
  async askSeveral<T>(wanted: number, work: (endpoint: Endpoint) => Promise<T>): Promise<readonly T[]> {
    const answers: T[] = [];
    const failures: { readonly endpoint: Endpoint; readonly error: Outage }[] = [];
    for (const endpoint of this.#all) {
      if (answers.length === wanted) break;
      if (!endpoint.available) continue;
      try {
        answers.push(await endpoint.run(work));
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        failures.push({ endpoint, error });
      }
    }
    if (answers.length === wanted) return answers;
    const behind = failures.find(({ error }) => error instanceof BehindHead);
    if (behind !== undefined && failures.every(({ error }) => error instanceof BehindHead))
      throw behind.error;
    throw this.#outage(failures);
  }

  /** What every endpoint answers that does answer. */
  async askEvery<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<readonly T[]> {
    const answers: T[] = [];
    for (const endpoint of this.#all.filter(({ available }) => available)) {
      try {
        answers.push(await endpoint.run(work));
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
      }
    }
    return answers;
  }

  #outage(failures: readonly { readonly endpoint: Endpoint; readonly error: Outage }[]): Outage {
    const tried = failures.map(({ endpoint, error }) => `${endpoint.name} ${error.message}`);
    const resting = this.#all
      .filter((endpoint) => !failures.some((failure) => failure.endpoint === endpoint))
      .filter((endpoint) => endpoint.lastError !== null)
      .map(
        (endpoint) => `${endpoint.name} ${endpoint.refused ? 'is refused' : 'rests'}: ${endpoint.lastError}`,
      );
    const reasons = [...tried, ...resting].join('; ') || 'no endpoint is available';
    return new Outage(`${this.#chain}: ${reasons}`, {
      retryable: !this.#all.every((endpoint) => endpoint.refused),
    });
  }
}

/** Host names, numbered where two are the same; the rest of a URL may be secret. */
function namesOf(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => splitUrl(url).host);
  return hosts.map((host, index) =>
    hosts.indexOf(host) === hosts.lastIndexOf(host) ? host : `${host}#${index + 1}`,
  );
}
