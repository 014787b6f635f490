// Every choice of a run is drawn from its seed; only the machine's timing is not.

/** A source of choices. Each part of the run has its own, so that more draws in one part do not change the others. */
export interface Chance {
  /** A whole number from 0 up to `below`, which is left out. */
  int(below: number): number;
  /** True with this probability. */
  happens(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** One of the names, each as likely as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** A source of its own for a part of the run. */
  split(name: string): Chance;
}

/** Makes the source of a seed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    // Mulberry32: small, fast, and good enough to choose with.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    happens: (probability) => next() < probability,
    pick: (values) => {
      const value = values[int(values.length)];
      if (value === undefined) throw new Error('there is nothing to choose from');
      return value;
    },
    weighted: (weights) => weighted(weights, next()),
    split: (name) => chanceOf(hashOf(`${seed}/${name}`)),
  };
}

function weighted<Name extends string>(weights: Readonly<Record<Name, number>>, drawn: number): Name {
  const entries = Object.entries<number>(weights).filter(([, weight]) => weight > 0);
  let left = drawn * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const found = entries.find(([, weight]) => (left -= weight) < 0) ?? entries.at(-1);
  if (found === undefined) throw new Error('there is nothing to choose from');
  // The names are the keys of the record.
  return found[0] as Name;
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16_777_619);
  return hash >>> 0;
}
