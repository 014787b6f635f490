// Requests to several providers: one after the other while answers are missing, or all at once. No provider is awaited long.
import type { World } from '../../runtime/world.ts';
import type { Answer, Failure, Outcome, Provider } from './provider.ts';
import type { Quorum } from './providers.ts';

export interface Asked<T> {
  readonly answers: readonly Answer<T>[];
  readonly failures: readonly Failure[];
  /** Providers that were asked and have not answered. */
  readonly silent: readonly Provider[];
}

interface Asking<T> {
  /** The providers to ask, the first one first. */
  readonly order: readonly Provider[];
  /** Does not throw for a fault of a provider. Any error that it throws ends the asking. */
  readonly request: (provider: Provider) => Promise<Outcome<T>>;
}

export interface AskingSome<T> extends Asking<T> {
  /** How many more answers are needed at least; 0 or less where these are enough. */
  readonly missing: (answers: readonly Answer<T>[]) => number;
  /** After this time without an answer the next provider is asked too; null where only a failure has that effect. */
  readonly hedgeMs: number | null;
}

/**
 * Hedged requests: at any time as many providers are awaited as answers are missing. A provider that fails, or is silent for
 * `hedgeMs`, is replaced by the next one. A late answer still counts. A provider that is silent to the end is doubted. Ends
 * with fewer answers where no provider is left to ask.
 */
export async function ask<T>({ world }: Quorum, asking: AskingSome<T>): Promise<Asked<T>> {
  const { order, missing, hedgeMs } = asking;
  const requests = new Requests(asking.request);
  const waiting = [...order];
  const late = new Set<Provider>();
  for (;;) {
    const wanted = missing(requests.answers);
    const waitedFor = requests.silent.filter((provider) => !late.has(provider)).length;
    if (wanted > waitedFor) requests.start(waiting.splice(0, wanted - waitedFor));
    if (wanted <= 0 || requests.silent.length === 0) break;
    if (await requests.areSilent(world, hedgeMs)) for (const provider of requests.silent) late.add(provider);
  }
  for (const { breaker } of requests.silent.filter((provider) => late.has(provider)))
    breaker.doubted(`gave no answer within ${hedgeMs} ms where others did`);
  return requests;
}

export interface AskingAll<T> extends Asking<T> {
  /** Whether the silent providers do not have to be awaited any more. */
  readonly isEnough: (answers: readonly Answer<T>[], silent: readonly Provider[]) => boolean;
  /** Whether these answers can be used without the missing ones. */
  readonly isUsable: (answers: readonly Answer<T>[]) => boolean;
  /** How long the next answer is awaited once the answers so far are usable; depends on which providers are silent. */
  readonly hedgeMs: (silent: readonly Provider[]) => number;
}

/**
 * Asks all providers at once. Ends where the answers are enough, or where no more come. A provider that is late is doubted.
 */
export async function askAll<T>({ world }: Quorum, asking: AskingAll<T>): Promise<Asked<T>> {
  const { order, isEnough, isUsable, hedgeMs } = asking;
  const requests = new Requests(asking.request);
  requests.start(order);
  while (requests.silent.length > 0 && !isEnough(requests.answers, requests.silent)) {
    const ms = isUsable(requests.answers) ? hedgeMs(requests.silent) : null;
    if (!(await requests.areSilent(world, ms))) continue;
    for (const { breaker } of requests.silent) breaker.doubted(`answers ${ms} ms later than others`);
    break;
  }
  return requests;
}

/**
 * Whether there are enough reports of heights. A silent provider is awaited only while its circuit is closed: one that is
 * late again and again is not awaited.
 */
export function closedAnswered(needed: number) {
  return (answers: readonly unknown[], silent: readonly Provider[]): boolean =>
    answers.length >= needed && silent.every(({ breaker }) => breaker.circuit !== 'closed');
}

class Requests<T> implements Asked<T> {
  readonly answers: Answer<T>[] = [];
  readonly failures: Failure[] = [];
  readonly #request: Asking<T>['request'];
  readonly #pending = new Map<Provider, Promise<void>>();

  constructor(request: Asking<T>['request']) {
    this.#request = request;
  }

  get silent(): readonly Provider[] {
    return [...this.#pending.keys()];
  }

  start(providers: readonly Provider[]): void {
    for (const provider of providers) {
      const request = this.#request(provider).then((outcome) => {
        this.#pending.delete(provider);
        if ('outage' in outcome) this.failures.push(outcome);
        else this.answers.push(outcome);
      });
      // A request rejects where it is awaited. This handler is for a request that is no longer awaited.
      request.catch(() => undefined);
      this.#pending.set(provider, request);
    }
  }

  /** Waits for the next request to end, for `ms` at most: true where none ended. Rejects as a request does. */
  async areSilent(world: World, ms: number | null): Promise<boolean> {
    const ended = new AbortController();
    let isOver = false;
    const timer = async (): Promise<void> => {
      await world.sleep(ms ?? 0, ended.signal);
      isOver = !ended.signal.aborted;
    };
    try {
      await Promise.race([...this.#pending.values(), ...(ms === null ? [] : [timer()])]);
    } finally {
      // With a reason given, no error is created: its stack would cost more than everything else here.
      ended.abort('ended');
    }
    return isOver;
  }
}
