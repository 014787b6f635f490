// Several endpoints of one chain as one: the first that answers believably is taken, in the order configured.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../world.ts';
import type { EndpointHealth } from '../port.ts';
import { Outage } from '../../outage.ts';
import { Unanswerable } from './unanswerable.ts';
import { BehindHead, Endpoint } from './endpoint.ts';
import { createLane } from './lane.ts';
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
// Sixteen blocks are read at the same time, so an answer has a lower limit beside others than alone.
const maxBodyBytes = 16 * 1024 * 1024;
const maxWideBodyBytes = 64 * 1024 * 1024;

/** Why an endpoint did not answer. */
export interface Failure {
  readonly endpoint: Endpoint;
  readonly error: Outage;
}

export interface Answer<T> {
  readonly endpoint: Endpoint;
  readonly value: T;
}

export class Endpoints {
  readonly #chain: string;
  readonly #all: readonly Endpoint[];

  /** Throws Outage, not retryable, where no address or one that is no URL is given. */
  constructor({ definition, rpcUrls, world, fetch, observer }: EndpointsOptions) {
    if (rpcUrls.length === 0) throw new Outage(`${definition.name} has no RPC address`, { retryable: false });
    this.#chain = definition.name;
    const wideLane = createLane();
    this.#all = namesOf(rpcUrls).map((name, index) => {
      const options = { url: rpcUrls[index] ?? '', name, world, fetch, observer, timeoutMs };
      const rpc = createRpc({ ...options, maxBodyBytes });
      const wideRpc = createRpc({ ...options, maxBodyBytes: maxWideBodyBytes });
      return new Endpoint({ rpc, wideRpc, wideLane, definition, world });
    });
  }

  get count(): number {
    return this.#all.length;
  }

  health(): readonly EndpointHealth[] {
    return this.#all.map((endpoint) => endpoint.health());
  }

  /**
   * The answer of the first endpoint that gives one. Throws BehindHead where every one that was asked does not
   * have the block yet, Unanswerable where none of them can answer that, else Outage with what each one did.
   */
  async ask<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    const { answers, failures } = await this.collect(work, (some) => some.length > 0);
    const [answer] = answers;
    if (answer === undefined) throw this.outage(failures);
    return answer.value;
  }

  /** What every endpoint answers. Throws as `ask` where fewer than `least` do. */
  async askAll<T>(least: number, work: (endpoint: Endpoint) => Promise<T>): Promise<readonly T[]> {
    const { answers, failures } = await this.collect(work, () => false);
    if (answers.length < least) throw this.outage(failures);
    return answers.map(({ value }) => value);
  }

  /** Asks one after the other, in the order configured and without `except`, until the answers are enough. */
  async collect<T>(
    work: (endpoint: Endpoint) => Promise<T>,
    enough: (answers: readonly Answer<T>[]) => boolean,
    except: Endpoint | null = null,
  ): Promise<{ readonly answers: readonly Answer<T>[]; readonly failures: readonly Failure[] }> {
    const answers: Answer<T>[] = [];
    const failures: Failure[] = [];
    for (const endpoint of this.#all) {
      if (endpoint === except || !endpoint.available) continue;
      try {
        answers.push({ endpoint, value: await endpoint.run(work) });
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        failures.push({ endpoint, error });
      }
      if (enough(answers)) break;
    }
    return { answers, failures };
  }

  /** What the failures come to, with the reasons of those that rest. */
  outage(failures: readonly Failure[]): Outage {
    const [first] = failures;
    if (first !== undefined && failures.every(({ error }) => error instanceof BehindHead)) return first.error;
    const tried = failures.map(({ endpoint, error }) => `${endpoint.name} ${error.message}`);
    const resting = this.#all
      .filter((endpoint) => !failures.some((failure) => failure.endpoint === endpoint))
      .filter((endpoint) => endpoint.lastError !== null)
      .map((endpoint) => `${endpoint.name} rests: ${endpoint.lastError}`);
    const reasons = `${this.#chain}: ${[...tried, ...resting].join('; ') || 'no endpoint is available'}`;
    if (first !== undefined && failures.every(({ error }) => error instanceof Unanswerable))
      return new Unanswerable(reasons);
    return new Outage(reasons, { retryable: true });
  }
}

/** Host names, numbered where two are the same; the rest of a URL may be secret. */
function namesOf(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => splitUrl(url).host);
  return hosts.map((host, index) =>
    hosts.indexOf(host) === hosts.lastIndexOf(host) ? host : `${host}#${index + 1}`,
  );
}
