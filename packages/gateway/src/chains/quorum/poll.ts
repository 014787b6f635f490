// Requests to several providers at once, and waiting for as many of them as it takes.
import type { World } from '../../runtime/world.ts';
import { limits } from './limits.ts';
import type { Answer, Failure, Outcome, Provider } from './provider.ts';

export class Poll<T> {
  readonly answers: Answer<T>[] = [];
  readonly failures: Failure[] = [];
  readonly #request: (provider: Provider) => Promise<Outcome<T>>;
  readonly #asked = new Set<Provider>();
  readonly #pending = new Map<Provider, Promise<void>>();

  /** `request` says what each provider is asked. It does not throw for what a provider does. */
  constructor(request: (provider: Provider) => Promise<Outcome<T>>) {
    this.#request = request;
  }

  /** Asks those that were not asked yet. */
  ask(providers: readonly Provider[]): void {
    for (const provider of providers.filter((one) => !this.#asked.has(one))) {
      this.#asked.add(provider);
      const request = this.#request(provider).then((outcome) => {
        this.#pending.delete(provider);
        if ('outage' in outcome) this.failures.push(outcome);
        else this.answers.push(outcome);
      });
      // It rejects where it is waited for, and nobody may be waiting any more.
      request.catch(() => undefined);
      this.#pending.set(provider, request);
    }
  }

  /** Who was asked and has not answered. */
  get silent(): readonly Provider[] {
    return [...this.#pending.keys()];
  }

  /** What to wait for. */
  get pending(): readonly Promise<void>[] {
    return [...this.#pending.values()];
  }

  /**
   * Waits until `least` have answered and every closed circuit has too, or one hedge time after `usable` have, or until
   * all have ended. A provider that is late is doubted, so that the next poll does not wait for it.
   */
  async answered(world: World, least: number, usable = least): Promise<void> {
    const hedge = new Hedge(world, limits.voteHedgeMs);
    for (;;) {
      const isAwaited = this.silent.some(({ breaker }) => breaker.circuit === 'closed');
      if (this.silent.length === 0 || (this.answers.length >= least && !isAwaited)) break;
      if (hedge.isOver) {
        for (const one of this.silent)
          one.breaker.doubted(`answers ${limits.voteHedgeMs} ms later than others`);
        break;
      }
      if (this.answers.length >= usable) void hedge.start();
      await hedge.next(this.pending);
    }
    hedge.end();
  }
}

/** The time for which requests are waited for, from some moment on. */
export class Hedge {
  isOver = false;
  readonly #sleep: () => Promise<void>;
  readonly #ended = new AbortController();
  #timer: Promise<void> | null = null;

  constructor(world: World, ms: number) {
    this.#sleep = () => world.sleep(ms, this.#ended.signal);
  }

  /** From now on the time runs. */
  start(): Promise<void> {
    this.#timer ??= this.#sleep().then(() => {
      this.isOver = !this.#ended.signal.aborted;
    });
    return this.#timer;
  }

  /** Resolves with the first of the requests that ends, or when the time is over. Rejects as a request does. */
  async next(requests: readonly Promise<void>[]): Promise<void> {
    await Promise.race(this.#timer === null ? requests : [...requests, this.#timer]);
  }

  /** Frees the timer. */
  end(): void {
    // With a reason of its own no error is made, whose stack costs more than the rest of it.
    this.#ended.abort('ended');
  }
}
