// A short run of the simulator with every test: no violation, the same trace twice, planted bugs caught.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type {} from '@ducat/gateway/testing/global-setup';
import { keptSeeds } from './kept-seeds.ts';
import { firstCatch } from './planted.ts';
import { type RunResult, runSeed } from './run-seed.ts';
import { runSeeds } from './run-seeds.ts';
import { sabotages } from './sabotage.ts';
import { openSimDatabase, type SimDatabase } from './sim-database.ts';

const SMOKE_SEEDS = 20;
const LANES = 2;
/** Far more than it takes, for machines that are busy with something else. */
const TIMEOUT_MS = 240_000;

const places: SimDatabase[] = [];

beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++) places.push(await openSimDatabase(inject('postgresAdminUrl')));
});

afterAll(async () => {
  for (const place of places) await place.drop();
});

function place(lane: number): SimDatabase {
  const found = places[lane];
  if (found === undefined) throw new Error(`there is no lane ${lane}`);
  return found;
}

describe('the simulator', () => {
  it('finds no violation in a few seeds', { timeout: TIMEOUT_MS }, async () => {
    const failed: RunResult[] = [];
    const sums = await runSeeds(places, 1, SMOKE_SEEDS, (result) => {
      if (result.findings.length > 0) failed.push(result);
    });
    expect(failed.map(({ seed, findings }) => ({ seed, findings }))).toEqual([]);
    expect(sums.orders).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.forks).toBeGreaterThan(SMOKE_SEEDS);
    expect(sums.kills).toBeGreaterThan(SMOKE_SEEDS);
  });

  it('finds no violation in the seeds that are kept', { timeout: TIMEOUT_MS }, async () => {
    expect(keptSeeds()).not.toEqual([]);
    for (const seed of keptSeeds()) {
      const { findings } = await runSeed(place(0), { seed });
      expect({ seed, findings }).toEqual({ seed, findings: [] });
    }
  });

  it('gives the same trace for the same seed, and another for another', { timeout: TIMEOUT_MS }, async () => {
    const [one, again] = await Promise.all([runSeed(place(0), { seed: 4 }), runSeed(place(1), { seed: 4 })]);
    const other = await runSeed(place(0), { seed: 5 });
    expect(again.traceHash).toBe(one.traceHash);
    expect(again.story).toEqual(one.story);
    expect(other.traceHash).not.toBe(one.traceHash);
  });

  it.each([
    // Where the product notices by itself, it halts the chain before anything wrong can be seen.
    ['credit-before-final', /^(?:12 credits|42 no chain halts)/],
    ['wall-clock-expiry', /^22 time-out/],
    ['event-not-written', /^25 an event/],
    ['short-lease', /^28 never early/],
  ])('notices the planted bug %s', { timeout: TIMEOUT_MS }, async (name, checker) => {
    const sabotage = sabotages[name];
    if (sabotage === undefined) throw new Error(`there is no planted bug ${name}`);
    const caught = await firstCatch(place(0), sabotage, 5);
    expect(caught?.checker).toMatch(checker);
  });
});
