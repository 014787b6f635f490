// The command line of the simulator: runs seeds, replays one, or shows that planted bugs are caught.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '@ducat/devnet/test-database';
import { runPlanted } from './planted.ts';
import { printFailure, printReplay } from './print.ts';
import { runSeed } from './run-seed.ts';
import { runSeeds } from './run-seeds.ts';
import { openSimDatabase, type SimDatabase } from './sim-database.ts';

const usage = `npm run sim -- [--seeds n] [--from k] [--jobs j]  runs n seeds, 200 unless said otherwise; --hashes shows their traces
npm run sim -- --seed n [--trace]                replays one seed and tells its story
npm run sim -- --planted [--seeds n]             plants each known bug and shows which checker caught it`;

/** Seeds at once. One waits for the database most of the time, so more than one keep the cores busy. */
const DEFAULT_JOBS = 4;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    jobs: { type: 'string', default: String(DEFAULT_JOBS) },
    trace: { type: 'boolean', default: false },
    hashes: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

// ~ tour 12/12: all of it at once, under a seed, with everything going wrong, and a naive model that keeps count.
const postgres = await startTestPostgres();
const places: SimDatabase[] = [];
try {
  const jobs = values.seed === undefined ? (wholeNumber(values.jobs) ?? DEFAULT_JOBS) : 1;
  for (let job = 0; job < Math.max(1, jobs); job++) places.push(await openSimDatabase(postgres.adminUrl));
  process.exitCode = await command();
} finally {
  for (const place of places) await place.drop();
  await postgres.stop();
}

async function command(): Promise<number> {
  const count = wholeNumber(values.seeds);
  if (values.help || count === null) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  if (values.planted) return runPlanted(places, count);
  const only = values.seed === undefined ? null : wholeNumber(values.seed);
  if (only !== null) return replay(only);
  return many(wholeNumber(values.from) ?? 1, count);
}

async function replay(seed: number): Promise<number> {
  const [place] = places;
  if (place === undefined) return 1;
  const result = await runSeed(place, { seed, keepTrace: values.trace });
  printReplay(result, values.trace);
  return result.findings.length === 0 ? 0 : 1;
}

async function many(from: number, count: number): Promise<number> {
  const startMs = performance.now();
  const failed: number[] = [];
  const traces = createHash('sha256');
  const sums = await runSeeds(places, from, count, (result) => {
    traces.update(result.traceHash);
    if (values.hashes) console.log(`seed ${result.seed} trace ${result.traceHash}`);
    if (result.findings.length === 0) return;
    failed.push(result.seed);
    printFailure(result);
  });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const told = Object.entries(sums).map(([name, sum]) => `${sum} ${name}`);
  console.log(`${count} seeds from ${from} in ${seconds} s: ${told.join(', ')}`);
  console.log(`all traces ${traces.digest('hex')}`);
  console.log(failed.length === 0 ? 'no violation' : `${failed.length} failed: ${failed.join(' ')}`);
  return failed.length === 0 ? 0 : 1;
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
