// A height that a provider reports again and again: the last report, and its time.
import type { World } from '../../runtime/world.ts';

export class Height {
  readonly #world: World;
  #last: number | null = null;
  #atMs = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** The last report; null before the first. */
  get last(): number | null {
    return this.#last;
  }

  note(height: number): void {
    this.#last = height;
    this.#atMs = this.#world.nowMs();
  }

  /** The last report where it is not older than `ms`, else null. */
  within(ms: number): number | null {
    return Math.abs(this.#world.nowMs() - this.#atMs) <= ms ? this.#last : null;
  }
}

/** The k-th highest of at least k numbers, k from 1. */
export function kthHighest(numbers: readonly number[], k: number): number {
  return [...numbers].sort((a, b) => b - a)[k - 1] ?? -1;
}
