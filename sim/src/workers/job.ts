// Runs one job: a seed, or a scenario with the step at which a process dies.
import { crashAt, runScenario } from '../crash-points.ts';
import { type RunResult, runSeed } from '../run-seed.ts';
import type { SimDatabase } from '../database/sim-database.ts';
import type { Job } from './commands.ts';

export function runJob(place: SimDatabase, job: Job): Promise<RunResult> {
  const {
    seed,
    scenario,
    keepTrace = false,
    withPayouts = false,
    crashAt: point = null,
    atEffects = false,
  } = job;
  if (scenario === undefined) return runSeed(place, { seed, keepTrace, withPayouts });
  return runScenario(place, scenario, { seed, keepTrace, beforeStep: crashAt(point, { atEffects }) });
}
