// How bad a run is: every rate drawn from the seed, and all of them zero once quiet time begins.
import type { Chance } from './chance.ts';

export interface Weather {
  /** The share of scheduler steps in which the world moves instead of a process: how slow the processes are. */
  readonly worldShare: number;
  readonly maxTickMs: number;
  /** Share of the mempool that the next block takes. */
  readonly takeShare: number;
  readonly kill: number;
  readonly killAll: number;
  /** Of each COMMIT, on its way there and again on its way back. */
  readonly killAtCommit: number;
  readonly freeze: number;
  readonly fork: number;
  readonly stall: number;
  /** Of each single call. */
  readonly databaseAway: number;
  readonly commitLost: number;
  readonly chainAway: number;
  readonly chainOutage: number;
  readonly lag: number;
  readonly maxLagBlocks: number;
  readonly twoWatchers: boolean;
  readonly twoNotifiers: boolean;
  readonly twoClerks: boolean;
}

/** Draws the weather of a storm. */
export function drawWeather(chance: Chance): Weather {
  const sometimes = (probability: number, most: number): number =>
    chance.hits(probability) ? chance.next() * most : 0;
  return {
    worldShare: chance.pick([0.01, 0.03, 0.06, 0.12]),
    maxTickMs: chance.pick([4_000, 8_000, 15_000]),
    takeShare: chance.pick([0.5, 0.8, 1]),
    kill: sometimes(0.7, 6),
    killAll: sometimes(0.3, 2),
    killAtCommit: sometimes(0.5, 0.1),
    freeze: sometimes(0.4, 3),
    fork: sometimes(0.8, 10),
    stall: sometimes(0.4, 2),
    databaseAway: sometimes(0.4, 0.02),
    commitLost: sometimes(0.5, 0.1),
    chainAway: sometimes(0.5, 0.05),
    chainOutage: sometimes(0.3, 1),
    lag: sometimes(0.5, 0.3),
    maxLagBlocks: chance.between(1, 6),
    twoWatchers: chance.hits(0.3),
    twoNotifiers: chance.hits(0.3),
    twoClerks: chance.hits(0.2),
  };
}

/** Nothing goes wrong any more. */
export function calm(weather: Weather): Weather {
  return {
    ...weather,
    takeShare: 1,
    kill: 0,
    killAll: 0,
    killAtCommit: 0,
    freeze: 0,
    fork: 0,
    stall: 0,
    databaseAway: 0,
    commitLost: 0,
    chainAway: 0,
    chainOutage: 0,
    lag: 0,
  };
}
