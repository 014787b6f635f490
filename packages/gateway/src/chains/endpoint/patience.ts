// For how long something has not been told, and whether that is long enough to do without it.
import type { World } from '../../runtime/world.ts';

/**
 * The patience that it has outlasted: the short one says that the endpoint will not tell it, the long one that waiting for
 * anybody is over.
 */
export type Outlasted = 'none' | 'short' | 'long';

interface Note {
  /** Null where it was told since, and begins anew with the next asking. */
  readonly shortMs: number | null;
  readonly longMs: number;
  readonly lastMs: number;
  /** Whether time ran out once. */
  readonly wasLate: boolean;
  readonly askings: number;
}

/** A node in trouble of its own fails for a moment; sixteen blocks wait at the same time, so none can pile them up. */
export const shortPatienceMs = 10_000;
/** Slow nodes are slow for longer, and those that rest come back: what they tell late is still worth waiting for. */
export const longPatienceMs = 300_000;
/**
 * What nobody asked meanwhile is not known, so the time between two askings counts for no more than this part of the
 * patience: it takes three of them at least, and however long others keep the third one waiting, three are enough.
 */
const mostOfPatience = 1 / 2;

export class Patience {
  readonly #world: World;
  readonly #maxKept: number;
  readonly #longMs: number;
  readonly #notes = new Map<string, Note>();

  constructor(world: World, maxKept: number, longMs = longPatienceMs) {
    this.#world = world;
    this.#maxKept = maxKept;
    this.#longMs = longMs;
  }

  /** It was not told. What it has outlasted by now; the long patience alone where `isLate`, as it was time that ran out. */
  note(key: string, isLate: boolean): Outlasted {
    const lastMs = this.#world.nowMs();
    const before = this.#notes.get(key);
    const wasLate = isLate || before?.wasLate === true;
    const apartMs = Math.max(0, lastMs - (before?.lastMs ?? lastMs));
    const waited = {
      shortMs: typeof before?.shortMs === 'number' ? before.shortMs + partOf(shortPatienceMs, apartMs) : 0,
      longMs: (before?.longMs ?? 0) + partOf(this.#longMs, apartMs),
    };
    // Anew at the end, so that the first is the one that was not renewed for longest.
    this.#notes.delete(key);
    this.#notes.set(key, { ...waited, lastMs, wasLate, askings: (before?.askings ?? 0) + 1 });
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > this.#maxKept && oldest !== undefined) this.#notes.delete(oldest);
    if (waited.longMs >= this.#longMs) return 'long';
    return waited.shortMs >= shortPatienceMs && !wasLate ? 'short' : 'none';
  }

  /** How often it was not told so far. */
  askings(key: string): number {
    return this.#notes.get(key)?.askings ?? 0;
  }

  /** It was told after all. */
  forget(key: string): void {
    this.#notes.delete(key);
  }

  /** The short patience begins anew with the next asking, and the long one goes on. */
  renewShort(key: string): void {
    const note = this.#notes.get(key);
    if (note !== undefined) this.#notes.set(key, { ...note, shortMs: null });
  }
}

function partOf(patienceMs: number, apartMs: number): number {
  return Math.min(apartMs, patienceMs * mostOfPatience);
}
