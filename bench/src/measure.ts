// The type of a bench: its name, its scale, and the lines of figures that it returns.
import type { Stage } from './stage.ts';

/** How long and how often everything is measured, so that one option of the command line makes a whole run small. */
export interface Scale {
  /** Pairs of floor and ours that count; one more pair before them warms up. */
  readonly rounds: number;
  /** How long one half of a pair lasts, in the benches that run for a fixed time. */
  readonly seconds: number;
  readonly ordersSmall: number;
  readonly ordersLarge: number;
  /** Seconds of each half of the measure of delay. */
  readonly delaySeconds: number;
  /** Used addresses whose balances are compared. */
  readonly usedEvm: number;
  readonly usedTron: number;
  /** Seconds for which calls are counted. */
  readonly checkSeconds: number;
  /** Payment pages that are open at the same time. */
  readonly openPages: number;
}

export const fullScale: Scale = {
  rounds: 5,
  seconds: 3,
  ordersSmall: 10_000,
  ordersLarge: 5_000_000,
  delaySeconds: 40,
  usedEvm: 1_000_000,
  usedTron: 100_000,
  checkSeconds: 60,
  openPages: 10_000,
};

export const quickScale: Scale = {
  rounds: 3,
  seconds: 1,
  ordersSmall: 1_000,
  ordersLarge: 100_000,
  delaySeconds: 10,
  usedEvm: 20_000,
  usedTron: 5_000,
  checkSeconds: 15,
  openPages: 500,
};

export interface Bench {
  readonly name: string;
  /** One line that says what is compared with what. */
  readonly about: string;
  run(stage: Stage, scale: Scale): Promise<readonly Figure[]>;
}

/** One line of the table. */
export interface Figure {
  readonly what: string;
  /** What was measured, with its unit, such as "2,310/s of 4,120/s". */
  readonly seen: string;
  /** The number that the goal is about, as text; "" where there is none. */
  readonly value: string;
  /** "" where no goal was set. */
  readonly goal: string;
  /** Null where no goal was set. */
  readonly met: boolean | null;
}
