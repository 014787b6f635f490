// The attempts that one notifier has under way, counted by receiver, and the rest it takes between two claims.
import type { World } from '../../world.ts';

export class UnderWay {
  /** Set when the notifier stops waiting: nothing is recorded from then on. */
  abandoned = false;
  readonly #attempts = new Set<Promise<void>>();
  readonly #byReceiver = new Map<string, number>();
  #rest = new AbortController();
  #bugs: unknown[] = [];

  get size(): number {
    return this.#attempts.size;
  }

  get byReceiver(): ReadonlyMap<string, number> {
    return this.#byReceiver;
  }

  /** Counts an attempt until it settles. A rejection is a bug, kept for `throwBug`. */
  add(receiver: string, attempt: Promise<void>): void {
    this.#count(receiver, 1);
    const counted: Promise<void> = attempt
      .catch((bug: unknown) => {
        this.#bugs.push(bug);
      })
      .finally(() => {
        this.#attempts.delete(counted);
        this.#count(receiver, -1);
        this.wake();
      });
    this.#attempts.add(counted);
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
    await Promise.all(this.#attempts);
  }

  throwBug(): void {
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }

  #count(receiver: string, change: 1 | -1): void {
    const count = (this.#byReceiver.get(receiver) ?? 0) + change;
    if (count === 0) this.#byReceiver.delete(receiver);
    else this.#byReceiver.set(receiver, count);
  }
}
