// A short run of the simulator with every test: no violation, the same trace twice, crash points, planted bugs caught.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type {} from '@ducat/testkit/global-setup';
import { runCrashPoints, SCENARIO_SEED } from './crash-points.ts';
import { keptSeeds } from './kept-seeds.ts';
import { type Lane, openLane } from './lanes/lanes.ts';
import { firstCatch } from './plants/planted.ts';
import { plants, timesFound } from './plants/plants.ts';
import type { RunResult } from './run-seed.ts';
import { runSeeds } from './run-seeds.ts';

const SMOKE_SEEDS = 8;
const LANES = 2;
/** One of so many crash points is tried. */
const SMOKE_STRIDE = 211;
/** Far more than it takes, for machines that are busy with something else. */
const TIMEOUT_MS = 600_000;

let lanes: readonly Lane[] = [];

beforeAll(async () => {
  const adminUrl = inject('postgresAdminUrl');
  lanes = await Promise.all(Array.from({ length: LANES }, () => openLane({ adminUrl })));
}, TIMEOUT_MS);

afterAll(async () => {
  for (const lane of lanes) await lane.close();
});

function lane(number: number): Lane {
  const found = lanes[number];
  if (found === undefined) throw new Error(`there is no lane ${number}`);
  return found;
}

describe('the simulator', () => {
  it('finds no violation in a few seeds', { timeout: TIMEOUT_MS }, async () => {
    const failed: RunResult[] = [];
    const sums = await runSeeds(lanes, 1, SMOKE_SEEDS, (result) => {
      if (result.findings.length > 0) failed.push(result);
    });
    expect(failed.map(({ seed, findings }) => ({ seed, findings }))).toEqual([]);
    expect(sums.orders).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.forks).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.kills).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.lies).toBeGreaterThan(SMOKE_SEEDS);
    // Once at the end of each run, when every balance was compared.
    expect(sums.bookChecks).toBe(SMOKE_SEEDS);
  });

  it('finds no violation in the seeds that are kept', { timeout: TIMEOUT_MS }, async () => {
    expect(keptSeeds()).not.toEqual([]);
    for (const seed of keptSeeds()) {
      const { findings } = await lane(0).run({ seed });
      expect({ seed, findings }).toEqual({ seed, findings: [] });
    }
  });

  it('gives the same trace for the same seed, and another for another', { timeout: TIMEOUT_MS }, async () => {
    const job = { seed: 4, keepTrace: true };
    const [one, again] = await Promise.all([lane(0).run(job), lane(1).run(job)]);
    const other = await lane(0).run({ seed: 5 });
    expect(again.traceLines).toEqual(one.traceLines);
    expect(again.traceHash).toBe(one.traceHash);
    expect(again.story).toEqual(one.story);
    expect(other.traceHash).not.toBe(one.traceHash);
  });

  it('survives a death at some of the crash points', { timeout: TIMEOUT_MS }, async () => {
    const { points, failed } = await runCrashPoints(lanes, SMOKE_STRIDE);
    expect(failed).toEqual([]);
    expect(points.size).toBeGreaterThanOrEqual(10);
    for (const count of points.values()) expect(count).toBeGreaterThan(100);
  });
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
  ])('hold what they are named for, such as %s', { timeout: TIMEOUT_MS }, async (scenario, what) => {
    const { story } = await lane(0).run({ seed: SCENARIO_SEED, scenario });
    expect(story.join('\n')).toMatch(what);
  });

  it('try a webhook again that was answered wrongly and whose answer was lost', async () => {
    const { counts } = await lane(0).run({ seed: SCENARIO_SEED, scenario: 'a webhook is tried again' });
    expect([counts.events, counts.attempts]).toEqual([1, 3]);
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
    ['conflict-answered', /^23 the terms/],
  ])('are noticed, such as %s', { timeout: TIMEOUT_MS }, async (name, checker) => {
    const caught = await firstCatch(inject('postgresAdminUrl'), name, 10);
    expect(caught?.checker).toMatch(checker);
  });
});
