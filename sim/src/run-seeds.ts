// Runs many seeds and sums up what they consisted of.
import { runJobs, type Worker } from './workers/workers.ts';
import type { RunCounts, RunResult } from './run-seed.ts';

/** What all runs together consisted of. */
export type Sums = { -readonly [Count in Exclude<keyof RunCounts, 'crashPoints'>]: number } & {
  steps: number;
};

const countNames = [
  'processSteps',
  'orders',
  'transfers',
  'payouts',
  'paid',
  'sent',
  'events',
  'attempts',
  'bookChecks',
  'lies',
  'forks',
  'kills',
  'faults',
] as const satisfies readonly (keyof Sums)[];

/** Seeds from `from`, `count` of them. `onResult` is called once a seed, lowest first. */
export async function runSeeds(
  workers: readonly Pick<Worker, 'run'>[],
  from: number,
  count: number,
  onResult: (result: RunResult) => void,
  withPayouts = false,
): Promise<Sums> {
  const sums: Sums = {
    steps: 0,
    processSteps: 0,
    orders: 0,
    transfers: 0,
    payouts: 0,
    paid: 0,
    sent: 0,
    events: 0,
    attempts: 0,
    bookChecks: 0,
    lies: 0,
    forks: 0,
    kills: 0,
    faults: 0,
  };
  const jobs = Array.from({ length: count }, (_, place) => ({ seed: from + place, withPayouts }));
  await runJobs(workers, jobs, (result) => {
    sums.steps += result.steps;
    for (const name of countNames) sums[name] += result.counts[name];
    onResult(result);
  });
  return sums;
}
