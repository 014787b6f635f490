// Runs together what arrives while earlier work is under way, so that one statement serves many requests.
import { assert } from '@ducat/core/assert';
import { Outage } from './outage.ts';

export interface BatchLimits {
  /** Items of one run at the most. */
  readonly items: number;
  /** Runs side by side at the most. */
  readonly runs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that hands one item to a run and gives the item's own result. An item starts a run at once where
 * `limits` let it; otherwise it waits, and the next free run takes everything that waits. `run` gives one result for each
 * item, in their order.
 *
 * An outage rejects every item of its run, since nobody knows what happened. After any other error each item runs
 * once more by itself, so that one bad item fails none of its neighbours: `run` must do nothing where it throws such an
 * error.
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  limits: BatchLimits,
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
      if (batch.length > 1 && !(error instanceof Outage)) for (const one of batch) await runTogether([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  function start(): void {
    while (running < limits.runs && queue.length > 0) {
      running += 1;
      void runTogether(queue.splice(0, limits.items)).then(() => {
        running -= 1;
        start();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      start();
    });
}
