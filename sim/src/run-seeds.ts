// Runs many seeds, one lane for each database, and hears of them in the order of the seeds.
import { type RunCounts, type RunResult, runSeed } from './run-seed.ts';
import type { SimDatabase } from './sim-database.ts';

/** What all runs together consisted of. */
export type Sums = { -readonly [Count in keyof RunCounts]: number } & { steps: number };

/** Seeds from `from`, `count` of them. `hear` is called once a seed, lowest first. */
export async function runSeeds(
  places: readonly SimDatabase[],
  from: number,
  count: number,
  hear: (result: RunResult) => void,
): Promise<Sums> {
  const sums: Sums = { steps: 0, orders: 0, transfers: 0, events: 0, attempts: 0, forks: 0, kills: 0 };
  const done = new Map<number, RunResult>();
  let next = from;
  let heard = from;
  const lane = async (place: SimDatabase): Promise<void> => {
    while (next < from + count) {
      const seed = next++;
      done.set(seed, await runSeed(place, { seed }));
      for (let result = done.get(heard); result !== undefined; result = done.get(heard)) {
        done.delete(heard++);
        addTo(sums, result);
        hear(result);
      }
    }
  };
  await Promise.all(places.map(lane));
  return sums;
}

function addTo(sums: Sums, { steps, counts }: RunResult): void {
  sums.steps += steps;
  sums.orders += counts.orders;
  sums.transfers += counts.transfers;
  sums.events += counts.events;
  sums.attempts += counts.attempts;
  sums.forks += counts.forks;
  sums.kills += counts.kills;
}
