// Runs together what arrives while earlier work is under way, so that one statement serves many requests.
import { assert } from '@ducat/core/assert';

export interface BatchRules {
  /** Items of one run at the most. */
  readonly items: number;
  /** Runs side by side at the most. */
  readonly runs: number;
  /** Whether a single item may be why a run failed. Such an error means that the run changed nothing. */
  readonly mayBeOfOne: (error: unknown) => boolean;
  /**
   * Calls its argument once everything that arrived together is here, such as `nextTurn` of the world for data of sockets.
   */
  readonly gather: (start: () => void) => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that hands one item to a run and returns the item's own result. A run starts once the items that
 * arrived with its first one are gathered. While `rules.runs` runs are under way, items wait, and the next free run takes
 * them. `run` returns one result for each item, in their order.
 *
 * Where a single item may be why a run failed, each item of that run gets a run of its own, so that no item fails because of
 * another. These runs do not count against `rules.runs`, so an item that waits for a lock holds up no others. Any other
 * error rejects every item of its run, because the run may have been done.
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  rules: BatchRules,
): (item: Item) => Promise<Result> {
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;

  async function runTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      assert(results.length === batch.length, 'a batch gave not one result for each item');
      // The lengths are the same.
      for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result);
    } catch (error) {
      if (batch.length > 1 && rules.mayBeOfOne(error)) for (const one of batch) void runTogether([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  function start(): void {
    while (running < rules.runs && queue.length > 0) {
      running += 1;
      void runTogether(queue.splice(0, rules.items)).then(() => {
        running -= 1;
        start();
      });
    }
  }

  /** Waits for another turn as long as each turn brings more items. */
  function gather(): void {
    const before = queue.length;
    rules.gather(() => {
      if (queue.length > before && queue.length < rules.items) gather();
      else start();
    });
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (queue.length === 1) gather();
    });
}
