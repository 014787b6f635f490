// What an endpoint has of blocks and cannot show: what is known of it, and for how long it has been so.
import type { World } from '../../runtime/world.ts';
import { type Outlasted, Patience } from '../endpoint/patience.ts';
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

/** More than the two parts of the blocks that are read at the same time. */
const maxKept = 128;

export class UnshownBlocks {
  readonly #patience: Patience;

  constructor(world: World) {
    this.#patience = new Patience(world, maxKept);
  }

  /** See Patience.note. None for the view of the head: only what cannot change is passed. */
  note(place: Place, isLate: boolean): Outlasted {
    return place.view === 'solid' ? this.#patience.note(keyOf(place), isLate) : 'none';
  }

  /** It was shown after all, and proves itself. */
  forget(place: Place): void {
    this.#patience.forget(keyOf(place));
  }

  /**
   * It was shown, and nothing proves it. The long patience goes on, or an endpoint that shows by turns the one part and
   * the other would be waited for for ever.
   */
  noteShown(place: Place): void {
    // mark: unproven-showing-renews-no-long-patience
    this.#patience.renewShort(keyOf(place));
  }
}

function keyOf({ view, hash, part }: Place): string {
  return `${view} ${part} ${hash}`;
}
