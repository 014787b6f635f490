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
  /** Whether it has been so for so long that it will stay so. */
  readonly isSettled: boolean;
}

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
  /** As of a block that is not shown. */
  readonly isSettled: boolean;

  constructor(number: number, answer: string, isSettled: boolean) {
    super(`cannot show the receipts of block ${number}: ${answer}`);
    this.isSettled = isSettled;
  }
}

/** What was asked for: by hash, as a height can be another block's the next time. */
export interface Place {
  readonly view: 'full' | 'solid';
  readonly hash: string;
  readonly part: 'body' | 'receipts';
}

interface Note {
  readonly waitedMs: number;
  readonly lastMs: number;
  /** Whether time ran out once. */
  readonly wasLate: boolean;
}

/** A node in trouble of its own fails for a moment; sixteen blocks wait at the same time, so none can pile them up. */
const patienceMs = 10_000;
/** Slow nodes are slow for longer, and what they tell late is still worth waiting for. */
const latePatienceMs = 300_000;
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
   * Whether it has been so for so long that it will stay so; `isLate` where it was time that ran out. Never for the
   * view of the head: only what cannot change is passed.
   */
  note(place: Place, isLate: boolean): boolean {
    if (place.view !== 'solid') return false;
    const lastMs = this.#world.nowMs();
    const key = keyOf(place);
    const before = this.#notes.get(key);
    const wasLate = isLate || before?.wasLate === true;
    const enoughMs = wasLate ? latePatienceMs : patienceMs;
    const apartMs = Math.max(0, lastMs - (before?.lastMs ?? lastMs));
    const waitedMs = (before?.waitedMs ?? 0) + Math.min(apartMs, enoughMs * mostOfPatience);
    // Anew at the end, so that the first is the one that was not renewed for longest.
    this.#notes.delete(key);
    this.#notes.set(key, { waitedMs, lastMs, wasLate });
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > maxKept && oldest !== undefined) this.#notes.delete(oldest);
    return waitedMs >= enoughMs;
  }

  /** It was shown after all. */
  forget(place: Place): void {
    this.#notes.delete(keyOf(place));
  }
}

function keyOf({ view, hash, part }: Place): string {
  return `${view} ${part} ${hash}`;
}
