// When the list of a source's markets is asked for: right after an answer lacked something, else ever less often.

/** Rounds from one list to the next while it stays the same: one and a half hours at a round each 20 s. */
const LONGEST_GAP = 256;

export interface ListRefresh {
  /**
   * Called once at the beginning of each round: whether the round asks for the list. Where that request fails, the round
   * after it uses the old list, if there is one.
   */
  isDue(hasList: boolean): boolean;
  /**
   * Notes which names the newest answer had; empty where none is wanted. If the answer lacks a name of the one before, or
   * has none at all, the next round asks for the list again.
   */
  note(found: Iterable<string>): void;
  /** The list is known to be wrong, so the next round asks for it. */
  forget(): void;
}

export function createListRefresh(): ListRefresh {
  let known: ReadonlySet<string> = new Set();
  let gap = 1;
  /** Rounds until the next list. */
  let left = 0;
  let isListing = false;
  const forget = () => {
    gap = 1;
    left = 0;
  };
  return {
    isDue(hasList) {
      isListing = left === 0 || !hasList;
      left = isListing ? 1 : left - 1;
      return isListing;
    },
    note(found) {
      const before = known;
      known = new Set(found);
      if (known.size === 0 || [...before].some((name) => !known.has(name))) return forget();
      if (!isListing) return;
      left = gap;
      gap = Math.min(2 * gap, LONGEST_GAP);
    },
    forget,
  };
}
