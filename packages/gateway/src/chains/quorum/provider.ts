// One provider as the quorum sees it: its circuit, its heights, and a call that never throws.
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { ProviderHealth } from '../port/reader.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { Height } from './height.ts';

export interface Answer<T> {
  readonly provider: Provider;
  readonly value: T;
}

export interface Failure {
  readonly provider: Provider;
  readonly outage: Outage;
}

export type Outcome<T> = Answer<T> | Failure;

export class Provider {
  readonly breaker: CircuitBreaker;
  readonly head: Height;
  /** The height up to which the provider calls blocks final. */
  readonly final: Height;
  /** Whether its last vote on a final block came too late to count. */
  holdsBack = false;
  readonly #reader: ProviderReader;

  constructor(reader: ProviderReader, world: World) {
    this.#reader = reader;
    this.breaker = new CircuitBreaker(world);
    this.head = new Height(world);
    this.final = new Height(world);
  }

  get name(): string {
    return this.#reader.provider;
  }

  health(): ProviderHealth {
    const { circuit, reason, disagreements } = this.breaker;
    return { provider: this.name, circuit, reason, disagreements, head: this.head.last };
  }

  /**
   * Asks the provider and records the outcome in its circuit breaker. Never throws: any error in a reader comes from what
   * the provider sent.
   */
  async call<T>(read: (reader: ProviderReader) => Promise<T>): Promise<Outcome<T>> {
    try {
      const value = await read(this.#reader);
      this.breaker.answered();
      return { provider: this, value };
    } catch (error) {
      const unreadable = { kind: 'invalid', cause: error } as const;
      const outage = error instanceof Outage ? error : new Outage('sent what cannot be read', unreadable);
      this.#note(outage);
      return { provider: this, outage };
    }
  }

  #note({ kind, message }: Outage): void {
    // Neither is a fault of the provider, and both are answers.
    if (kind === 'not-yet' || kind === 'unsupported') this.breaker.answered();
    else if (kind === 'invalid') this.breaker.doubted(message);
    else if (kind === 'throttled') this.breaker.throttled(message);
    else this.breaker.failed(message);
  }
}
