// A height that a provider reports again and again: what it was last, when that was, and whether it rises.
import type { World } from '../../runtime/world.ts';

export class Height {
  readonly #world: World;
  #last: number | null = null;
  #atMs = 0;
  #roseAtMs = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** What was reported last; null before. */
  get last(): number | null {
    return this.#last;
  }

  note(height: number): void {
    const nowMs = this.#world.nowMs();
    if (this.#last === null || height > this.#last) this.#roseAtMs = nowMs;
    this.#last = height;
    this.#atMs = nowMs;
  }

  /** What was reported last where that is not longer ago, else null. */
  within(ms: number): number | null {
    return Math.abs(this.#world.nowMs() - this.#atMs) <= ms ? this.#last : null;
  }

  roseWithin(ms: number): boolean {
    return Math.abs(this.#world.nowMs() - this.#roseAtMs) <= ms;
  }
}

/** The k-th highest of at least k numbers, k from 1. */
export function kthHighest(numbers: readonly number[], k: number): number {
  return [...numbers].sort((a, b) => b - a)[k - 1] ?? -1;
}
