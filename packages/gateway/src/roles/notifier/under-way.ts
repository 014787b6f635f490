// The attempts that one notifier has under way, and the rest it takes between two claims.
import type { Queue } from '../../flows/claim-deliveries.ts';
import type { World } from '../../world.ts';

export class UnderWay {
  /** Set when the notifier stops waiting: nothing is recorded from then on. */
  abandoned = false;
  readonly #attempts = new Map<Promise<void>, Queue>();
  #rest = new AbortController();
  #bugs: unknown[] = [];

  get size(): number {
    return this.#attempts.size;
  }

  /** The queue that each attempt came from. */
  get queues(): readonly Queue[] {
    return [...this.#attempts.values()];
  }

  /** Counts an attempt until it settles. A rejection is a bug, kept for `throwBug`. */
  add(queue: Queue, attempt: Promise<void>): void {
    const counted: Promise<void> = attempt
      .catch((bug: unknown) => {
        this.#bugs.push(bug);
      })
      .finally(() => {
        this.#attempts.delete(counted);
        this.wake();
      });
    this.#attempts.set(counted, queue);
  }

  /** Called before a claim: what ends while the claim runs cuts the next rest short. */
  prepareRest(): void {
    if (this.#rest.signal.aborted) this.#rest = new AbortController();
  }

  /** Rests for the time, or until an attempt ends; not at all for no time. */
  async rest(world: World, ms: number): Promise<void> {
    if (ms > 0) await world.sleep(ms, this.#rest.signal);
  }

  wake(): void {
    this.#rest.abort();
  }

  /** Resolves when nothing is under way. */
  async allDone(): Promise<void> {
    await Promise.all(this.#attempts.keys());
  }

  throwBug(): void {
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }
}
