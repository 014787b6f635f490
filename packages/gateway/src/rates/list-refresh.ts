// When the list of what a source trades is asked for anew: at once after it came back shorter, else less and less often.

/** Rounds from one list to the next while it stays the same: one and a half hours at a round each 20 s. */
const LONGEST_GAP = 256;

export interface ListRefresh {
  /**
   * Once for each round, at its beginning: whether the list is asked for in it. Where that fails, the round after it goes
   * by the old one, if there is one.
   */
  isDue(hasList: boolean): boolean;
  /**
   * What the newest answer had; empty where nothing of it is wanted. An answer that lacks something of the one before,
   * or has nothing, is no ground for silence: the list is asked for again in the next round.
   */
  note(found: Iterable<string>): void;
  /** The list is known to be wrong, and asked for in the next round. */
  forget(): void;
}

export function createListRefresh(): ListRefresh {
  let known: ReadonlySet<string> = new Set();
  let gap = 1;
  /** Rounds that go by until the next list. */
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
