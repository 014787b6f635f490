// Plants one known bug after the other and shows which checker caught it, and how soon.
import { runSeed } from './run-seed.ts';
import { type Sabotage, sabotages } from './sabotage.ts';
import type { SimDatabase } from './sim-database.ts';

export interface Caught {
  readonly seed: number;
  readonly checker: string;
  readonly message: string;
}

/** Runs seeds from 1 with the bug until one of them fails; null when none of `seeds` does. */
export async function firstCatch(
  place: SimDatabase,
  sabotage: Sabotage,
  seeds: number,
): Promise<Caught | null> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { findings } = await runSeed(place, { seed, sabotage });
    const [first] = findings;
    if (first !== undefined) return { seed, checker: first.checker, message: first.message };
  }
  return null;
}

/** Prints the table; returns 1 when a bug went unnoticed. Schemas are changed, so each lane keeps to its own database. */
export async function runPlanted(places: readonly SimDatabase[], seeds: number): Promise<number> {
  const names = Object.keys(sabotages);
  const waiting = Object.entries(sabotages);
  const lines = new Map<string, string>();
  let missed = 0;
  const lane = async (place: SimDatabase): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, sabotage] = next;
      const caught = await firstCatch(place, sabotage, seeds);
      if (caught === null) missed++;
      lines.set(name, describe(name, sabotage, caught, seeds));
    }
  };
  await Promise.all(places.map(lane));
  for (const name of names) console.log(lines.get(name));
  console.log(missed === 0 ? 'every planted bug was caught' : `${missed} planted bugs were not caught`);
  return missed === 0 ? 0 : 1;
}

function describe(name: string, { bug }: Sabotage, caught: Caught | null, seeds: number): string {
  const end =
    caught === null
      ? `NOT CAUGHT in ${seeds} seeds`
      : `seed ${caught.seed}, by "${caught.checker}": ${caught.message}`;
  return `${name}: ${bug}\n    ${end}`;
}
