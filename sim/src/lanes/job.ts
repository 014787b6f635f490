// One run as it is ordered from a lane: a seed, or a scenario with the step at which a process dies.
import { crashAt, runScenario } from '../crash-points.ts';
import { type RunResult, runSeed } from '../run-seed.ts';
import type { SimDatabase } from '../database/sim-database.ts';

export interface Job {
  readonly seed: number;
  /** The name of a scenario instead of a storm. */
  readonly scenario?: string;
  /** The step of the scenario before which its process dies; none where it is left out. */
  readonly crashAt?: number;
  readonly keepTrace?: boolean;
}

export function runJob(place: SimDatabase, job: Job): Promise<RunResult> {
  const { seed, scenario, keepTrace = false } = job;
  if (scenario === undefined) return runSeed(place, { seed, keepTrace });
  return runScenario(place, scenario, { seed, keepTrace, beforeStep: crashAt(job.crashAt ?? null) });
}
