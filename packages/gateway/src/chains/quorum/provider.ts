// One provider as the quorum sees it: its circuit, its head, and a call that never throws.
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { ProviderHealth } from '../port/reader.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

export interface Answer<T> {
  readonly provider: Provider;
  readonly value: T;
}

export interface Failure {
  readonly provider: Provider;
  readonly outage: Outage;
}

export type Outcome<T> = Answer<T> | Failure;

/** What is reported of circuits, for logs. */
export interface QuorumObserver {
  /** A circuit left the closed state, or its reason changed, or it closed again. */
  onCircuit(health: ProviderHealth): void;
}

export class Provider {
  readonly reader: ProviderReader;
  readonly breaker: CircuitBreaker;
  readonly #world: World;
  readonly #observer: QuorumObserver | null;
  #head: number | null = null;
  #headAtMs = 0;
  #roseAtMs = 0;

  constructor(reader: ProviderReader, world: World, observer: QuorumObserver | null) {
    this.reader = reader;
    this.breaker = new CircuitBreaker(world);
    this.#world = world;
    this.#observer = observer;
  }

  get name(): string {
    return this.reader.provider;
  }

  /** The head that it reported last; null before. */
  get head(): number | null {
    return this.#head;
  }

  /** The head if it is not older than that, else null. */
  headWithin(ms: number): number | null {
    const ageMs = this.#world.nowMs() - this.#headAtMs;
    return ageMs >= 0 && ageMs <= ms ? this.#head : null;
  }

  noteHead(head: number): void {
    const nowMs = this.#world.nowMs();
    if (this.#head === null || head > this.#head) this.#roseAtMs = nowMs;
    this.#head = head;
    this.#headAtMs = nowMs;
  }

  /** Whether its head rose within that time. A node that lost its peers answers on, and shows that in nothing else. */
  roseWithin(ms: number): boolean {
    return this.#world.nowMs() - this.#roseAtMs <= ms;
  }

  health(): ProviderHealth {
    const { circuit, reason } = this.breaker;
    return { provider: this.name, circuit, reason, head: this.#head };
  }

  /** Asks it and keeps the score. Never throws: whatever goes wrong in a reader does so by what the provider sent. */
  async call<T>(work: (reader: ProviderReader) => Promise<T>): Promise<Outcome<T>> {
    try {
      const value = await work(this.reader);
      this.breaker.answered();
      return { provider: this, value };
    } catch (error) {
      const outage =
        error instanceof Outage
          ? error
          : new Outage('sent something that could not be read', { kind: 'invalid', cause: error });
      this.#note(outage);
      return { provider: this, outage };
    }
  }

  /** A report that the quorum shares. */
  agreed(): void {
    this.#watched(() => this.breaker.agreed());
  }

  doubt(reason: string): void {
    this.#watched(() => this.breaker.doubted(reason));
  }

  #note(outage: Outage): void {
    const { kind, message } = outage;
    // Neither is anybody's fault, and both are answers.
    if (kind === 'not-yet' || kind === 'unsupported') return this.breaker.answered();
    this.#watched(() => {
      if (kind === 'invalid') this.breaker.doubted(message);
      else if (kind === 'throttled') this.breaker.throttled(message, retryAfterMs(outage));
      else this.breaker.failed(message);
    });
  }

  #watched(change: () => void): void {
    const before = this.breaker.reason;
    change();
    if (this.breaker.reason !== before) this.#observer?.onCircuit(this.health());
  }
}

/** The pause that a provider asks for with `throttled`, in milliseconds; 0 where it names none. */
function retryAfterMs(outage: Outage): number {
  if (!('retryAfterMs' in outage)) return 0;
  return typeof outage.retryAfterMs === 'number' ? outage.retryAfterMs : 0;
}
