// Exhaustive crash points: a scenario is run once to count its steps, then once for each step with a death there.
import type { Job } from './workers/commands.ts';
import type { Worker } from './workers/workers.ts';
import { runJobs } from './workers/workers.ts';
import { printFailure } from './print.ts';
import { type RunResult, runSeed } from './run-seed.ts';
import { payoutScenarios } from './outgoing/payout-scenarios.ts';
import { scenarios as arrivals } from './scenarios.ts';
import type { SimDatabase } from './database/sim-database.ts';
import type { Simulation } from './simulation.ts';
import type { Step } from './world/scheduler.ts';
import type { SimProcess } from './world/sim-process.ts';

/** A scenario is fixed, so the seed decides only how its steps interleave. */
export const SCENARIO_SEED = 1;

const scenarios = { ...arrivals, ...payoutScenarios };

type BeforeStep = (sim: Simulation, step: Step) => Promise<boolean>;

export interface ScenarioOptions {
  readonly seed: number;
  readonly keepTrace: boolean;
  readonly beforeStep: BeforeStep;
}

export function runScenario(place: SimDatabase, name: string, options: ScenarioOptions): Promise<RunResult> {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  const { seed, keepTrace, beforeStep } = options;
  return runSeed(place, {
    seed,
    keepTrace,
    script: scenario,
    withPayouts: scenario.payouts !== undefined,
    onStart: (sim) => {
      sim.beforeStep = (step) => beforeStep(sim, step);
    },
  });
}

/**
 * Kills the process that would take the step of that number, and starts it again at once. A step is the sending of a
 * call, or the handing back of its answer. A death before the first loses the call, a death before the second only
 * the answer. With `atEffects`, only the two sides of each effect count: of a signature, a broadcast, a webhook, and
 * of a COMMIT that wrote more than leases, blocks, cursors and the time of the next attempt. Two deaths of a process
 * between two of its effects leave the same behind, except for these routine writes.
 */
export function crashAt(point: number | null, { atEffects = false } = {}): BeforeStep {
  return async (sim, step) => {
    const { process } = step;
    if (!isPoint(sim, process) || (atEffects && !step.isEffect())) return false;
    if (sim.crashPoints++ !== point) return false;
    const { processes } = sim;
    // A payer mostly dies together with the signer that it asks, because both are on one machine.
    const signers = processes.running.filter(({ kind }) => kind === 'signer' && process.kind === 'payer');
    for (const { name } of [process, ...signers]) {
      await processes.kill(name, `at step ${point}`);
      processes.start(name.slice(0, name.lastIndexOf('/')));
    }
    return true;
  };
}

const PAYS_OUT: ReadonlySet<string> = new Set(['api', 'watcher', 'payer', 'collector']);

/** Whether the step is a point. With payouts, steps before the order is paid are none, because other scenarios try them. */
function isPoint({ outgoing, answered, payments }: Simulation, { kind }: SimProcess): boolean {
  if (outgoing === null) return true;
  const { payoutPlans } = outgoing;
  const isPaid = answered.length > 0 && payments.length === 0;
  return (
    PAYS_OUT.has(kind) &&
    (payoutPlans.length === 0 ? isPaid : payoutPlans.some(({ amount }) => amount !== null))
  );
}

/** Which points are tried: each `stride`th, from the `first`, which counts from 0. */
export interface CrashPart {
  readonly stride: number;
  readonly first: number;
  /** The two sides of each effect instead of every step. */
  readonly atEffects?: boolean;
}

/** The points of a part, in their order. The parts of one stride, one for each `first` below it, have every point once. */
export function pointsOf(
  { stride, first }: Pick<CrashPart, 'stride' | 'first'>,
  count: number,
): readonly number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((count - first) / stride)) },
    (_, place) => first + place * stride,
  );
}

export interface CrashReports {
  /** The run of each scenario without a death. */
  readonly onWhole?: (name: string, result: RunResult) => void;
  /** Called when the last point of a scenario was tried: how many points of it were tried, and how many it has. */
  readonly onTried?: (name: string, tried: number, count: number) => void;
}

/** Returns how many points each of these scenarios has, and what failed of the part that was tried. */
export async function runCrashPoints(
  workers: readonly Pick<Worker, 'run'>[],
  part: CrashPart,
  names: readonly string[],
  { onWhole = () => undefined, onTried = () => undefined }: CrashReports = {},
): Promise<{ readonly points: ReadonlyMap<string, number>; readonly failed: readonly Job[] }> {
  const { atEffects = false } = part;
  const points = new Map<string, number>();
  const failed: Job[] = [];
  const onResult = (result: RunResult, job: Job): void => {
    if (result.findings.length === 0) return;
    failed.push(job);
    const which = `${job.crashAt ?? 'none'}${atEffects ? ' --effects' : ''}`;
    printFailure(result, `--scenario "${job.scenario ?? ''}" --crash-at ${which}`);
  };
  const whole = names.map((scenario) => ({ seed: SCENARIO_SEED, scenario, atEffects }));
  await runJobs(workers, whole, (result, job) => {
    points.set(job.scenario ?? '', result.counts.crashPoints);
    onWhole(job.scenario ?? '', result);
    onResult(result, job);
  });
  const jobs = names.flatMap((scenario) =>
    pointsOf(part, points.get(scenario) ?? 0).map((crashAt) => ({
      seed: SCENARIO_SEED,
      scenario,
      crashAt,
      atEffects,
    })),
  );
  await runJobs(workers, jobs, (result, job) => {
    onResult(result, job);
    const { scenario: name = '', crashAt: point = 0 } = job;
    const count = points.get(name) ?? 0;
    if (point + part.stride >= count) onTried(name, pointsOf(part, count).length, count);
  });
  return { points, failed };
}
