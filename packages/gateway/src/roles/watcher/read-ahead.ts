// Reads the next blocks of a chain while those before them are being accepted: the node and the database work at once.
import type { ChainBlock } from '../../chains/port.ts';

/** Reads blocks in the order of the range; fewer where the last of them cannot be had yet. */
export type ReadRange = (range: readonly number[]) => Promise<readonly ChainBlock[]>;

export interface ReadAhead {
  /** The blocks of a range: those that were begun, where that was the very range, else read now. */
  take(range: readonly number[]): Promise<readonly ChainBlock[]>;
  /** Begins to read a range that is likely to be wanted next. */
  begin(range: readonly number[]): void;
  /** Forgets what was begun: after a pause it would be old, after a trouble it would be of the wrong branch. */
  forget(): void;
}

interface Begun {
  readonly first: number;
  readonly count: number;
  readonly blocks: Promise<readonly ChainBlock[]>;
}

/**
 * One range at the most is ahead, and nothing is believed of it for being early: a block is accepted only on top of the
 * books, and what is final is asked afterwards. Trouble with it is met by whoever takes it.
 */
export function createReadAhead(read: ReadRange): ReadAhead {
  let begun: Begun | null = null;
  return {
    take(range) {
      const known = begun;
      begun = null;
      const fits = known !== null && known.first === range[0] && known.count === range.length;
      return fits ? known.blocks : read(range);
    },
    begin(range) {
      const [first] = range;
      if (first === undefined) return;
      const blocks = read(range);
      // Nobody may ever take it, and then its trouble is nobody's.
      blocks.catch(() => undefined);
      begun = { first, count: range.length, blocks };
    },
    forget() {
      begun = null;
    },
  };
}
