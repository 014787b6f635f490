// Plants one known bug after the other and shows which checker caught it, and how soon.
import { SCENARIO_SEED } from '../crash-points.ts';
import type { Finding } from '../checkers/findings.ts';
import { openWorker } from '../workers/workers.ts';
import type { Job } from '../workers/commands.ts';
import type { Plant } from './planted-bug.ts';
import { plants } from './plants.ts';

export interface Caught {
  readonly seed: number;
  readonly checker: string;
  readonly message: string;
}

/** Runs seeds from 1 with the bug until one of them fails; null when none of `seeds` does. */
export async function firstCatch(adminUrl: string, name: string, seeds: number): Promise<Caught | null> {
  const { change = [], scenario, crashEvery = null } = plantNamed(name);
  const worker = await openWorker({ adminUrl, planted: name, change });
  try {
    const job = (seed: number): Job => (scenario === undefined ? { seed } : { seed, scenario });
    const jobs = Array.from({ length: scenario === undefined ? seeds : 1 }, (_, place) =>
      job(scenario === undefined ? place + 1 : SCENARIO_SEED),
    );
    for (const one of jobs) {
      const { findings, counts } = await worker.run(one);
      const caught = catchOf(one, findings);
      if (caught !== null) return caught;
      if (crashEvery === null || one.crashAt !== undefined) continue;
      for (let crashAt = crashEvery; crashAt < counts.crashPoints; crashAt += crashEvery)
        jobs.push({ ...one, crashAt });
    }
    return null;
  } finally {
    await worker.close();
  }
}

function catchOf({ seed }: Job, [first]: readonly Finding[]): Caught | null {
  return first === undefined ? null : { seed, checker: first.checker, message: first.message };
}

export interface PlantedOptions {
  readonly adminUrl: string;
  readonly jobs: number;
  readonly seeds: number;
  /** Only bugs whose name holds this. */
  readonly only: string | null;
}

/** Prints the table; returns 1 when a bug went unnoticed. */
export async function runPlanted({ adminUrl, jobs, seeds, only }: PlantedOptions): Promise<number> {
  const names = Object.keys(plants).filter((name) => only === null || name.includes(only));
  const waiting = [...names];
  const caught = new Map<string, Caught | null>();
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      caught.set(name, await firstCatch(adminUrl, name, seeds));
      console.log(describe(name, caught.get(name) ?? null, seeds));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  const missed = names.filter((name) => (caught.get(name) ?? null) === null);
  console.log(
    missed.length === 0
      ? `every one of ${names.length} planted bugs was caught`
      : `${missed.length} of ${names.length} planted bugs were not caught: ${missed.join(', ')}`,
  );
  return missed.length === 0 ? 0 : 1;
}

function plantNamed(name: string): Plant {
  const plant = plants[name];
  if (plant === undefined) throw new Error(`there is no planted bug ${name}`);
  return plant;
}

function describe(name: string, caught: Caught | null, seeds: number): string {
  const { bug, file } = plantNamed(name);
  const end =
    caught === null
      ? `NOT CAUGHT in ${seeds} seeds`
      : `seed ${caught.seed}, by "${caught.checker}": ${caught.message.slice(0, 160)}`;
  return `${name} (${file}): ${bug}\n    ${end}`;
}
