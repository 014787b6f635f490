// How bad a run is: rates of faults, drawn from the seed, and all of them zero once quiet time begins.
import type { Chance } from './chance.ts';

export interface Weather {
  /** The share of scheduler steps in which the world moves instead of a process: how slow the processes are. */
  readonly worldShare: number;
  readonly maxTickMs: number;
  /** Share of the mempool that the next block takes. */
  readonly takeShare: number;
  /** How many blocks may come at once after a pause. */
  readonly maxBurst: number;
  readonly kill: number;
  readonly killAll: number;
  /** How likely the process is killed at each COMMIT: when it is sent, and again when its answer is handed back. */
  readonly killAtCommit: number;
  readonly freeze: number;
  /** How likely a watcher with a standby freezes at each transaction that it begins. */
  readonly freezeAtWork: number;
  /** How likely a notifier with a second one beside it freezes at each answer that it gets; such answers are few. */
  readonly freezeAtAnswer: number;
  /** How likely maintenance freezes each time that it is about to time orders out, with their rows locked. */
  readonly freezeAtExpiry: number;
  readonly fork: number;
  readonly stall: number;
  /** How likely each single call fails. */
  readonly databaseAway: number;
  readonly commitLost: number;
  readonly chainAway: number;
  readonly chainOutage: number;
  /** How often a provider falls behind, goes away, or changes what it shows. */
  readonly provider: number;
  readonly maxLagBlocks: number;
  /** How likely each answer of a faulty provider is a lie. */
  readonly lie: number;
  /** How often a faulty provider shows a branch that is lost or made up. */
  readonly branch: number;
  /** How often the clock of a process jumps; 0 where all clocks are right. */
  readonly clock: number;
  readonly twoWatchers: boolean;
  readonly twoNotifiers: boolean;
  readonly twoMaintainers: boolean;
  /** Attempts under way in one notifier: so few that the limit is met, or enough to prefetch for quick receivers. */
  readonly webhooksUnderWay: number;
}

/** How wrong the clock of a process may be, either way. */
export const MAX_SKEW_MS = 50_000;

/** Draws the weather of a fault phase. */
export function drawWeather(chance: Chance): Weather {
  const sometimes = (probability: number, most: number): number =>
    chance.hits(probability) ? chance.next() * most : 0;
  return {
    worldShare: chance.pick([0.005, 0.01, 0.02, 0.05]),
    maxTickMs: chance.pick([2_000, 4_000, 8_000]),
    takeShare: chance.pick([0.5, 0.8, 1]),
    maxBurst: chance.pick([1, 1, 4]),
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
    provider: sometimes(0.7, 8),
    maxLagBlocks: chance.between(1, 6),
    lie: sometimes(0.8, 0.4),
    branch: sometimes(0.7, 8),
    clock: sometimes(0.3, 3),
    twoWatchers: chance.hits(0.4),
    twoNotifiers: chance.hits(0.4),
    twoMaintainers: chance.hits(0.2),
    freezeAtWork: sometimes(0.6, 0.25),
    freezeAtAnswer: chance.pick([0, 0.3, 0.6]),
    webhooksUnderWay: chance.pick([64, 4]),
    freezeAtExpiry: chance.pick([0, 0.7]),
  };
}

/** Nothing goes wrong any more. */
export function calm(weather: Weather): Weather {
  return {
    ...weather,
    takeShare: 1,
    maxBurst: 1,
    kill: 0,
    killAll: 0,
    killAtCommit: 0,
    freeze: 0,
    freezeAtWork: 0,
    freezeAtAnswer: 0,
    freezeAtExpiry: 0,
    fork: 0,
    stall: 0,
    databaseAway: 0,
    commitLost: 0,
    chainAway: 0,
    chainOutage: 0,
    provider: 0,
    lie: 0,
    branch: 0,
    clock: 0,
  };
}
