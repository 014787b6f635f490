// A short run of the simulator with every test: no violation, the same trace twice, crash points, planted bugs caught.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type {} from '@ducat/testkit/global-setup';
import { pointsOf, runCrashPoints, SCENARIO_SEED } from './crash-points.ts';
import { keptSeeds } from './kept-seeds.ts';
import { openWorker, runJobs, type Worker } from './workers/workers.ts';
import { firstCatch } from './plants/planted.ts';
import { plants, timesFound } from './plants/plants.ts';
import type { RunResult } from './run-seed.ts';
import { runSeeds } from './run-seeds.ts';
import { scenarios } from './scenarios.ts';

const SMOKE_SEEDS = 4;
/** One of so many crash points is tried: of arrivals every step counts, of payouts the two sides of each effect. */
const SMOKE_STRIDE = 421;
const PAYOUT_PART = { stride: 31, first: 0, atEffects: true };
const STAKE_PART = { stride: 71, first: 0, atEffects: true };
/** Both pay on an EVM chain and on Tron. Payouts that are replaced or built anew are scenarios of their own. */
const PAYOUT_SEEDS = [1, 3];
const WORKERS = 2;
/** Far more than it takes, for machines that are busy with something else. */
const TIMEOUT_MS = 600_000;

let workers: readonly Worker[] = [];

beforeAll(async () => {
  const adminUrl = inject('postgresAdminUrl');
  workers = await Promise.all(Array.from({ length: WORKERS }, () => openWorker({ adminUrl })));
}, TIMEOUT_MS);

afterAll(async () => {
  for (const worker of workers) await worker.close();
});

function worker(number: number): Worker {
  const found = workers[number];
  if (found === undefined) throw new Error(`there is no worker ${number}`);
  return found;
}

/** Kept from the tests before, so that no seed and no scenario runs twice for nothing. */
const ran = new Map<number, RunResult>();
const wholeRuns = new Map<string, RunResult>();

function findingsOf(results: Iterable<RunResult>): readonly object[] {
  const failed = [...results].filter(({ findings }) => findings.length > 0);
  return failed.map(({ seed, findings }) => ({ seed, findings }));
}

describe('the simulator', () => {
  it('finds no violation in a few seeds', { timeout: TIMEOUT_MS }, async () => {
    const sums = await runSeeds(workers, 1, SMOKE_SEEDS, (result) => ran.set(result.seed, result));
    expect(findingsOf(ran.values())).toEqual([]);
    expect(sums.orders).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.forks).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.kills).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.lies).toBeGreaterThan(SMOKE_SEEDS);
    // Once at the end of each run, when every balance was compared.
    expect(sums.bookChecks).toBe(SMOKE_SEEDS);
  });

  it('finds no violation where money goes out', { timeout: TIMEOUT_MS }, async () => {
    const results: RunResult[] = [];
    const jobs = PAYOUT_SEEDS.map((seed) => ({ seed, withPayouts: true }));
    await runJobs(workers, jobs, (result) => results.push(result));
    expect(findingsOf(results)).toEqual([]);
    for (const { counts } of results) {
      expect(counts.paid).toBeGreaterThan(0);
      expect(counts.sent).toBeGreaterThan(counts.paid);
    }
  });

  it('finds no violation in the seeds that are kept', { timeout: TIMEOUT_MS }, async () => {
    expect(keptSeeds()).not.toEqual([]);
    const results: RunResult[] = [];
    const jobs = keptSeeds().flatMap((seed) => (ran.has(seed) ? [] : [{ seed }]));
    await runJobs(workers, jobs, (result) => results.push(result));
    expect(findingsOf(results)).toEqual([]);
  });

  it('gives the same trace for the same seed, and another for another', { timeout: TIMEOUT_MS }, async () => {
    const again = await worker(1).run({ seed: 1 });
    expect(again.traceHash).toBe(ran.get(1)?.traceHash);
    expect(again.story).toEqual(ran.get(1)?.story);
    expect(ran.get(2)?.traceHash).not.toBe(again.traceHash);
  });

  it('survives a death at some of the crash points', { timeout: TIMEOUT_MS }, async () => {
    const triedOf = new Map<string, number>();
    const { points, failed } = await runCrashPoints(
      workers,
      { stride: SMOKE_STRIDE, first: 0 },
      Object.keys(scenarios),
      {
        onWhole: (name, run) => wholeRuns.set(name, run),
        onTried: (name, tried) => triedOf.set(name, tried),
      },
    );
    expect(failed).toEqual([]);
    expect(points.size).toBeGreaterThanOrEqual(10);
    for (const [name, count] of points) expect(triedOf.get(name)).toBe(Math.ceil(count / SMOKE_STRIDE));
    for (const count of points.values()) expect(count).toBeGreaterThan(100);
  });

  it.each(['a payout offers more', 'a payout on Tron expires and is built anew'])(
    'survives a death at some of the crash points where %s',
    { timeout: TIMEOUT_MS },
    async (scenario) => {
      const { points, failed } = await runCrashPoints(workers, PAYOUT_PART, [scenario], {
        onWhole: (name, run) => wholeRuns.set(name, run),
      });
      expect(failed).toEqual([]);
      // An effect has two sides, and most steps have none.
      const run = wholeRuns.get(scenario);
      const count = points.get(scenario) ?? 0;
      expect(count % 2).toBe(0);
      expect(count).toBeGreaterThan(60);
      expect(count).toBeLessThan((run?.steps ?? 0) / 20);
      // The funding, the collection, and both forms of the payout.
      const counts = run?.counts;
      expect([counts?.payouts, counts?.paid, counts?.sent]).toEqual([1, 1, 4]);
    },
  );

  it('survives a death while energy of a stake is out, and takes all of it back', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const scenario = 'a token is collected by a stake';
    const { failed } = await runCrashPoints(workers, STAKE_PART, [scenario], {
      onWhole: (name, run) => wholeRuns.set(name, run),
    });
    expect(failed).toEqual([]);
    // The funding, the delegation, the collection, the return, and the payout.
    const counts = wholeRuns.get(scenario)?.counts;
    expect([counts?.payouts, counts?.paid, counts?.sent]).toEqual([1, 1, 5]);
  });
});

it.each([
  'an order is sent back twice',
  'a receipt is sent back twice',
  'an unassigned receipt is sent back twice',
])('sends something back, where %s', { timeout: TIMEOUT_MS }, async (scenario) => {
  const { findings, counts } = await worker(0).run({ seed: SCENARIO_SEED, scenario });
  expect([findings, counts.payouts, counts.paid]).toEqual([[], 1, 1]);
});

it('tries every crash point once, in as many parts as the stride', () => {
  const parts = [0, 1, 2].map((first) => pointsOf({ stride: 3, first }, 8));
  expect(parts).toEqual([
    [0, 3, 6],
    [1, 4, 7],
    [2, 5],
  ]);
  expect(pointsOf({ stride: 30, first: 29 }, 8)).toEqual([]);
});

describe('the core scenarios', () => {
  it.each([
    ['two orders in one transaction', /transaction \w+: \d+ of \d+ to …\w+, \d+ of \d+ to …\w+$/m],
    ['two parts are paid', /transaction \w+: [^,]*\n.*transaction \w+: [^,]*\n/],
    ['a payment in the wrong token', /12500000 units of 1001 until [^]* of (?!1001)\d+ to /],
    ['coins through a contract', / of 1000 to \w*…\w+ as a trap/],
    ['a fork drops the payment', / forks; .* 1 gone$/m],
    ['a fork moves the payment', / forks; .*: 1 in another place/],
    ['a payment on Tron is read twice', /flow="settle-final" chain="Tron" .*transfers=1/],
  ])('hold what they are named for, such as %s', (scenario, what) => {
    expect(wholeRuns.get(scenario)?.story.join('\n')).toMatch(what);
  });

  it('try a webhook again that was answered wrongly and whose answer was lost', () => {
    const counts = wholeRuns.get('a webhook is tried again')?.counts;
    expect([counts?.events, counts?.attempts]).toEqual([1, 3]);
  });
});

describe('the planted bugs', () => {
  it('are at least thirty, and each has its place in the product', () => {
    expect(Object.keys(plants).length).toBeGreaterThanOrEqual(30);
    const found = Object.entries(plants).map(([name, plant]) => [name, timesFound(plant)]);
    expect(found.filter(([, times]) => times !== 1)).toEqual([]);
  });

  it.each([
    ['credit-before-final', /^(?:12 |42 )/],
    ['wall-clock-expiry', /^22 time-out/],
    ['event-not-written', /^(?:7 |2[56] )/],
    ['due-rounded-down', /^8 due/],
    ['sent-before-it-is-stored', /^32 stored/],
    ['built-anew-before-it-is-dead', /^34 rebuilt/],
    ['taken-back-under-its-transfer', /^37 energy until/],
  ])('are noticed, such as %s', { timeout: TIMEOUT_MS }, async (name, checker) => {
    const caught = await firstCatch(inject('postgresAdminUrl'), name, 10);
    expect(caught?.checker).toMatch(checker);
  });
});
