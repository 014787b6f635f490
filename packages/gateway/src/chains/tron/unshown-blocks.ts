// What an endpoint has of blocks and cannot show: what is known of it, and for how long it has been so.
import type { World } from '../../world.ts';
import { UnreadableBlock } from '../endpoint/unreadable-block.ts';
import type { ProvenHeader } from './block-header.ts';

export type UnshownReason = 'unprintable-block' | 'oversized-block';

export interface Unshown {
  readonly proven: ProvenHeader;
  readonly reason: UnshownReason;
  /** What the endpoint answered instead. */
  readonly answer: string;
  readonly outlasted: Outlasted;
}

/**
 * The patience that it has outlasted: the short one says that the endpoint will not show it, the long one that waiting for
 * anybody is over.
 */
export type Outlasted = 'none' | 'short' | 'long';

/** The endpoint proves the header of the block, and cannot show its transactions. */
export class UnshownBlock extends UnreadableBlock {
  readonly unshown: Unshown;

  constructor(unshown: Unshown) {
    super(`cannot show block ${unshown.proven.header.number}: ${unshown.answer}`);
    this.unshown = unshown;
  }
}

/** The endpoint has the block, shows the receipts of others, and cannot show those of this one. */
export class UnshownReceipts extends UnreadableBlock {
  readonly outlasted: Outlasted;

  constructor(number: number, answer: string, outlasted: Outlasted) {
    super(`cannot show the receipts of block ${number}: ${answer}`);
    this.outlasted = outlasted;
  }
}

/** What was asked for: by hash, as a height can be another block's the next time. */
export interface Place {
  readonly view: 'full' | 'solid';
  readonly hash: string;
  readonly part: 'body' | 'receipts';
}

interface Note {
  /** Null where it was shown since, and begins anew with the next asking. */
  readonly shortMs: number | null;
  readonly longMs: number;
  readonly lastMs: number;
  /** Whether time ran out once. */
  readonly wasLate: boolean;
}

/** A node in trouble of its own fails for a moment; sixteen blocks wait at the same time, so none can pile them up. */
const shortMs = 10_000;
/** Slow nodes are slow for longer, and those that rest come back: what they tell late is still worth waiting for. */
const longMs = 300_000;
/**
 * What nobody asked meanwhile is not known, so the time between two askings counts for no more than this part of the
 * patience: it takes three of them at least, and however long others keep the third one waiting, three are enough.
 */
const mostOfPatience = 1 / 2;
/** More than the two parts of the blocks that are read at the same time. */
const maxKept = 128;

export class UnshownBlocks {
  readonly #world: World;
  readonly #notes = new Map<string, Note>();

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * What it has outlasted by now; the long patience alone where `isLate`, as it was time that ran out. None for the view
   * of the head: only what cannot change is passed.
   */
  note(place: Place, isLate: boolean): Outlasted {
    if (place.view !== 'solid') return 'none';
    const lastMs = this.#world.nowMs();
    const key = keyOf(place);
    const before = this.#notes.get(key);
    const wasLate = isLate || before?.wasLate === true;
    const apartMs = Math.max(0, lastMs - (before?.lastMs ?? lastMs));
    const waited = {
      shortMs: typeof before?.shortMs === 'number' ? before.shortMs + partOf(shortMs, apartMs) : 0,
      longMs: (before?.longMs ?? 0) + partOf(longMs, apartMs),
    };
    // Anew at the end, so that the first is the one that was not renewed for longest.
    this.#notes.delete(key);
    this.#notes.set(key, { ...waited, lastMs, wasLate });
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > maxKept && oldest !== undefined) this.#notes.delete(oldest);
    if (waited.longMs >= longMs) return 'long';
    return waited.shortMs >= shortMs && !wasLate ? 'short' : 'none';
  }

  /** It was shown after all, and proves itself. */
  forget(place: Place): void {
    this.#notes.delete(keyOf(place));
  }

  /**
   * It was shown, and nothing proves it. The long patience goes on, or an endpoint that shows by turns the one part and
   * the other would be waited for for ever.
   */
  noteShown(place: Place): void {
    // mark: unproven-showing-renews-no-long-patience
    const key = keyOf(place);
    const note = this.#notes.get(key);
    if (note !== undefined) this.#notes.set(key, { ...note, shortMs: null });
  }
}

function partOf(patienceMs: number, apartMs: number): number {
  return Math.min(apartMs, patienceMs * mostOfPatience);
}

function keyOf({ view, hash, part }: Place): string {
  return `${view} ${part} ${hash}`;
}
