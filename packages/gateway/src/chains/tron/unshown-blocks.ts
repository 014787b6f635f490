// Blocks that an endpoint has and cannot show: what is known of each, and for how long it has been so.
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

/** A node in trouble of its own fails for a moment; sixteen blocks wait at the same time, so none can pile them up. */
const patienceMs = 10_000;
/** Slow nodes are slow for longer, and what they tell late is still worth waiting for. */
const latePatienceMs = 300_000;
/** More blocks than are read at the same time. */
const maxKept = 64;

export class UnshownBlocks {
  readonly #world: World;
  readonly #sinceMs = new Map<number, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Whether it has been so for so long that it will stay so; `isLate` where it was time that ran out. */
  note(number: number, isLate: boolean): boolean {
    const nowMs = this.#world.nowMs();
    const sinceMs = this.#sinceMs.get(number) ?? nowMs;
    this.#sinceMs.set(number, sinceMs);
    const [oldest] = this.#sinceMs.keys();
    if (this.#sinceMs.size > maxKept && oldest !== undefined) this.#sinceMs.delete(oldest);
    return nowMs - sinceMs >= (isLate ? latePatienceMs : patienceMs);
  }

  /** It was shown after all. */
  forget(number: number): void {
    this.#sinceMs.delete(number);
  }
}
