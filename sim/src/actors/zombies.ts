// Zombies: processes that freeze in the middle of their work, are replaced, and wake to go on with it.
import type { SimProcess } from '../world/sim-process.ts';
import type { Chance } from '../world/chance.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Weather } from '../world/weather.ts';
import type { Processes } from './processes.ts';

/** The part of the simulation that is used here. */
interface Run {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly processes: Processes;
  readonly weather: Weather;
  injectedFaults: number;
  note(what: string): void;
}

/**
 * The limits of a freeze. The short one exceeds the longest lease and the shortest retry delay after it. The long one
 * lets more than one retry become due.
 */
const SHORT_TAKE_OVER_MS = 36_000;
const LONG_TAKE_OVER_MS = 100_000;
/**
 * The limits of a pause of maintenance in the middle of its transaction, with its rows locked. Blocks become final
 * meanwhile.
 */
const SHORT_PAUSE_MS = 5_000;
const LONG_PAUSE_MS = 50_000;
/** How often a frozen process wakes when another one takes over; otherwise it sleeps on. */
const WAKES_AT_TAKE_OVER = 0.7;

/** How the statement begins by which maintenance times orders out. Their rows are locked by then. */
const TIMES_OUT = 'UPDATE orders SET status';

/** A step that is about to be taken. */
interface StepTaken {
  readonly process: SimProcess;
  readonly label: string;
  readonly state: string;
}

/** Freezes a process in the middle of its work for so long that its standby takes over. */
export async function freezesAtWork(sim: Run, step: StepTaken): Promise<boolean> {
  const { chance, scheduler, processes } = sim;
  const { process } = step;
  const share = shareOf(sim, step);
  if (share === 0) return false;
  const isAlone = process.kind !== 'maintenance' && twinsOf(sim, process).length === 0;
  if (isAlone || !chance.hits(share)) return false;
  const ms =
    process.kind === 'maintenance'
      ? chance.between(SHORT_PAUSE_MS, LONG_PAUSE_MS)
      : chance.between(SHORT_TAKE_OVER_MS, LONG_TAKE_OVER_MS);
  process.frozenUntilMs = scheduler.nowMs + ms;
  sim.injectedFaults++;
  sim.note(`${process.name} freezes at its work for ${ms} ms`);
  await processes.cutIdle(process.name);
  return true;
}

/** The share of such steps at which the process freezes. */
function shareOf({ weather }: Run, { process: { kind }, label, state }: StepTaken): number {
  if (kind === 'watcher' && label === 'BEGIN' && state === 'asked') return weather.freezeAtWork;
  if (kind === 'maintenance' && label.startsWith(TIMES_OUT) && state === 'asked')
    return weather.freezeAtExpiry;
  if (kind === 'notifier' && label === 'post' && state === 'ready') return weather.freezeAtAnswer;
  return 0;
}

/** A process that lost its lease to this one may wake at the worst moment: before anything was done under the new lease. */
export function wakeZombies(sim: Run, process: SimProcess): void {
  const { chance, scheduler } = sim;
  for (const twin of twinsOf(sim, process)) {
    if (twin.canStep(scheduler.nowMs) || !chance.hits(WAKES_AT_TAKE_OVER)) continue;
    twin.frozenUntilMs = scheduler.nowMs;
    sim.note(`${twin.name} wakes, and its lease is with ${process.name}`);
  }
}

/** The others that do the same work, such as the watchers of the same chain. */
function twinsOf({ processes }: Run, process: SimProcess): readonly SimProcess[] {
  return processes.running.filter((one) => one !== process && one.work === process.work);
}
