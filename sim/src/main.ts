// The command line of the simulator: runs seeds, replays one, tries every crash point, shows that planted bugs are caught.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '@ducat/devnet/postgres/test-database';
import { commitOf } from './commit.ts';
import { runCrashPoints, SCENARIO_SEED } from './crash-points.ts';
import type { Job } from './workers/commands.ts';
import { openWorker, type Worker } from './workers/workers.ts';
import { runPlanted } from './plants/planted.ts';
import { printFailure, printReplay } from './print.ts';
import { payoutScenarios } from './outgoing/payout-scenarios.ts';
import { scenarios as arrivals } from './scenarios.ts';
import { runSeeds } from './run-seeds.ts';

const usage = `npm run sim -- [--seeds n] [--from k] [--jobs j]  runs n seeds, 200 unless said otherwise; --hashes shows their traces
npm run sim -- --payouts [--seeds n] [--seed n]  the same with money going out
npm run sim -- --seed n [--trace]                replays one seed and prints its story
npm run sim -- --crash-points [--stride s]       kills at every step of every scenario, or at each s-th; --only words
                                                 --effects: at each side of what outlives its process
                                                 --stride s --from 1 to --from s are s parts, which together try every step
npm run sim -- --scenario name [--crash-at k]    replays one of them
npm run sim -- --planted [--seeds n] [--only name]  plants each known bug and shows which checker caught it`;

/** Processes at once. Each waits for the database half of the time, so one more than two cores keeps both busy. */
const DEFAULT_JOBS = 3;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    jobs: { type: 'string', default: String(DEFAULT_JOBS) },
    trace: { type: 'boolean', default: false },
    payouts: { type: 'boolean', default: false },
    hashes: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    only: { type: 'string' },
    'crash-points': { type: 'boolean', default: false },
    effects: { type: 'boolean', default: false },
    stride: { type: 'string', default: '1' },
    scenario: { type: 'string' },
    'crash-at': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

// Nothing of a run outlives it, so its files go to memory where the system has a disk in memory.
if (process.env['TMPDIR'] === undefined && existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';

// ~ tour 15/15: all of it at once, under a seed, with everything going wrong, and a naive model that keeps count.
const postgres = await startTestPostgres();
const startMs = performance.now();
try {
  process.exitCode = await command();
} finally {
  await postgres.stop();
}

async function command(): Promise<number> {
  const count = wholeNumber(values.seeds);
  const jobs = Math.max(1, wholeNumber(values.jobs) ?? DEFAULT_JOBS);
  if (values.help || count === null) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  console.log(`commit ${commitOf()}`);
  const { adminUrl } = postgres;
  if (values.planted) return runPlanted({ adminUrl, jobs, seeds: count, only: values.only ?? null });
  const from = Math.max(1, wholeNumber(values.from) ?? 1);
  const single = singleJob();
  const workers = await Promise.all(
    Array.from({ length: single === null ? jobs : 1 }, () => openWorker({ adminUrl })),
  );
  try {
    if (single !== null) return await replay(workers, single);
    if (values['crash-points']) return await crashPoints(workers, wholeNumber(values.stride) ?? 1, from);
    return await many(workers, from, count);
  } finally {
    for (const worker of workers) await worker.close();
  }
}

/** The one run to replay; null where there is more than one run to do. */
function singleJob(): Job | null {
  const keepTrace = values.trace;
  const crashAt = wholeNumber(values['crash-at'] ?? '');
  if (values.scenario !== undefined) {
    const job = { seed: SCENARIO_SEED, scenario: values.scenario, keepTrace, atEffects: values.effects };
    return crashAt === null ? job : { ...job, crashAt };
  }
  const seed = wholeNumber(values.seed ?? '');
  return seed === null ? null : { seed, keepTrace, withPayouts: values.payouts };
}

async function replay([worker]: readonly Worker[], job: Job): Promise<number> {
  if (worker === undefined) return 1;
  const result = await worker.run(job);
  printReplay(result, values.trace);
  return result.findings.length === 0 ? 0 : 1;
}

async function many(workers: readonly Worker[], from: number, count: number): Promise<number> {
  const failed: number[] = [];
  const traces = createHash('sha256');
  const sums = await runSeeds(
    workers,
    from,
    count,
    (result) => {
      traces.update(result.traceHash);
      if (values.hashes) console.log(`seed ${result.seed} trace ${result.traceHash}`);
      if (result.findings.length === 0) return;
      failed.push(result.seed);
      printFailure(result, values.payouts ? `--payouts --seed ${result.seed}` : undefined);
    },
    values.payouts,
  );
  const counted = Object.entries(sums).map(([name, sum]) => `${sum} ${name}`);
  console.log(`${count} seeds from ${from} in ${seconds()} s: ${counted.join(', ')}`);
  console.log(`all traces ${traces.digest('hex')}`);
  console.log(failed.length === 0 ? 'no violation' : `${failed.length} failed: ${failed.join(' ')}`);
  return failed.length === 0 ? 0 : 1;
}

async function crashPoints(workers: readonly Worker[], stride: number, from: number): Promise<number> {
  const scenarios = values.payouts ? payoutScenarios : arrivals;
  const names = Object.keys(scenarios).filter((name) => name.includes(values.only ?? ''));
  const part = { stride: Math.max(1, stride), first: from - 1, atEffects: values.effects };
  let tried = 0;
  const { points, failed } = await runCrashPoints(workers, part, names, {
    onTried: (name, triedOf, count) => {
      tried += triedOf;
      console.log(
        `${String(triedOf).padStart(6)} of ${count} crash points tried after ${seconds()} s: ${name}`,
      );
    },
  });
  const sum = [...points.values()].reduce((all, count) => all + count, 0);
  const which = stride === 1 ? 'each' : `each ${stride}th from ${from}`;
  const where = values.effects ? ' at effects' : '';
  console.log(
    `${sum} crash points${where} in ${points.size} scenarios, ${which}: ${tried} tried in ${seconds()} s`,
  );
  console.log(failed.length === 0 ? 'no violation' : `${failed.length} failed`);
  return failed.length === 0 && names.length > 0 ? 0 : 1;
}

function seconds(): string {
  return ((performance.now() - startMs) / 1000).toFixed(1);
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
