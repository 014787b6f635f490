// Several endpoints of one chain as one: the first that answers believably is taken, in the order configured.
import type { EndpointHealth } from '../port.ts';
import { Outage } from '../../runtime/outage.ts';
import { BehindHead } from './behind-head.ts';
import { Unanswerable } from './unanswerable.ts';
import { splitUrl } from './url-secrets.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** Why an endpoint did not answer. */
export interface EndpointFailure<E> {
  readonly endpoint: E;
  readonly error: Outage;
}

export interface EndpointAnswer<E, T> {
  readonly endpoint: E;
  readonly value: T;
}

export class EndpointPool<E extends WatchedEndpoint> {
  readonly #chain: string;
  readonly #all: readonly E[];

  /** Throws Outage, not retryable, where there is no endpoint. */
  constructor(chain: string, all: readonly E[]) {
    if (all.length === 0) throw new Outage(`${chain} has no RPC address`, { retryable: false });
    this.#chain = chain;
    this.#all = all;
  }

  get chain(): string {
    return this.#chain;
  }

  get count(): number {
    return this.#all.length;
  }

  /** What is known of each without asking it, in the order configured. */
  map<T>(look: (endpoint: E) => T): readonly T[] {
    return this.#all.map((endpoint) => look(endpoint));
  }

  health(): readonly EndpointHealth[] {
    return this.#all.map((endpoint) => endpoint.health());
  }

  /**
   * The answer of the first endpoint that gives one. Throws BehindHead where every one that was asked does not
   * have the block yet, Unanswerable where none of them can answer that, else Outage with what each one did.
   */
  async ask<T>(work: (endpoint: E) => Promise<T>): Promise<T> {
    const { answers, failures } = await this.collect(work, (some) => some.length > 0);
    const [answer] = answers;
    if (answer === undefined) throw this.outage(failures);
    return answer.value;
  }

  /**
   * As `ask`, for what is not the reading of blocks: failures are not held against an endpoint, and no pause of it is
   * used up.
   */
  async askBeside<T>(work: (endpoint: E) => Promise<T>): Promise<T> {
    const failures: EndpointFailure<E>[] = [];
    for (const endpoint of this.#all) {
      if (!endpoint.available) continue;
      try {
        return await endpoint.runBeside(work);
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        failures.push({ endpoint, error });
      }
    }
    throw this.outage(failures);
  }

  /** What every endpoint answers. Throws as `ask` where fewer than `least` do. */
  async askAll<T>(least: number, work: (endpoint: E) => Promise<T>): Promise<readonly T[]> {
    const { answers, failures } = await this.collect(work, () => false);
    if (answers.length < least) throw this.outage(failures);
    return answers.map(({ value }) => value);
  }

  /**
   * Asks one after the other, in the order configured but those last that keep others waiting, and without `except`,
   * until the answers are enough to do without the `next`.
   */
  async collect<T>(
    work: (endpoint: E) => Promise<T>,
    enough: (answers: readonly EndpointAnswer<E, T>[], next: E) => boolean,
    except: E | null = null,
  ): Promise<{
    readonly answers: readonly EndpointAnswer<E, T>[];
    readonly failures: readonly EndpointFailure<E>[];
    /** How long each took to answer or to fail, with all the waiting that is in it but for our own pace. */
    readonly tookMs: ReadonlyMap<E, number>;
  }> {
    const tookMs = new Map<E, number>();
    const answers: EndpointAnswer<E, T>[] = [];
    const failures: EndpointFailure<E>[] = [];
    for (const endpoint of [...this.#all].sort((one, other) => Number(one.isSpare) - Number(other.isSpare))) {
      if (endpoint === except || !endpoint.available) continue;
      if (answers.length + failures.length > 0 && enough(answers, endpoint)) break;
      const tookSoFarMs = endpoint.startTiming();
      try {
        answers.push({ endpoint, value: await endpoint.run(work) });
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        failures.push({ endpoint, error });
      }
      tookMs.set(endpoint, tookSoFarMs());
    }
    return { answers, failures, tookMs };
  }

  /** What the failures come to, with the reasons of those that rest. */
  outage(failures: readonly EndpointFailure<E>[]): Outage {
    const [first] = failures;
    if (first !== undefined && failures.every(({ error }) => error instanceof BehindHead)) return first.error;
    const tried = failures.map(({ endpoint, error }) => `${endpoint.name} ${error.message}`);
    const resting = this.#all
      .filter((endpoint) => !failures.some((failure) => failure.endpoint === endpoint))
      .filter((endpoint) => endpoint.lastOutage !== null);
    const rests = resting.map(({ name, lastOutage }) => `${name} rests: ${lastOutage?.message}`);
    const reasons = `${this.#chain}: ${[...tried, ...rests].join('; ') || 'no endpoint is available'}`;
    if (first !== undefined && failures.every(({ error }) => error instanceof Unanswerable))
      return new Unanswerable(reasons);
    // The first that says more than silence; what is wrong with the others stands in the words.
    const all = [...failures.map(({ error }) => error), ...resting.map(({ lastOutage }) => lastOutage)];
    const kind = all.find((outage) => outage !== null && outage.kind !== 'unavailable')?.kind;
    return new Outage(reasons, kind === undefined ? { retryable: true } : { retryable: true, kind });
  }
}

/** Host names, numbered where two are the same; the rest of a URL may be secret. */
export function endpointNames(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => splitUrl(url).host);
  return hosts.map((host, index) =>
    hosts.indexOf(host) === hosts.lastIndexOf(host) ? host : `${host}#${index + 1}`,
  );
}
