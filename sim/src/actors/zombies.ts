// Zombies: processes that freeze in the middle of their work, are taken over, and wake to go on with it.
import type { SimProcess } from '../world/sim-process.ts';
import type { Chance } from '../world/chance.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Weather } from '../world/weather.ts';
import type { Processes } from './processes.ts';

/** What of the simulation this touches. */
interface Run {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly processes: Processes;
  readonly weather: Weather;
  injectedFaults: number;
  note(what: string): void;
}

/** Longer than the longest of the leases and the shortest retry delay after it; and so much that more than one retry is due. */
const SHORT_TAKE_OVER_MS = 36_000;
const LONG_TAKE_OVER_MS = 100_000;
/** A maintenance process that stops in the middle of its transaction keeps its rows locked; so long that blocks become final meanwhile. */
const SHORT_PAUSE_MS = 5_000;
const LONG_PAUSE_MS = 50_000;
/** How often it does: else it sleeps on. */
const WAKES_AT_TAKE_OVER = 0.7;

/** How the statement begins by which a maintenance process times orders out, whose rows it has locked by then. */
const TIMES_OUT = 'UPDATE orders SET status';

/** A step that is about to be taken. */
interface StepTaken {
  readonly process: SimProcess;
  readonly label: string;
  readonly state: string;
}

/** Freezes a process in the middle of its work for so long that whoever stands by takes it over. */
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

/** How many of such steps freeze. */
function shareOf({ weather }: Run, { process: { kind }, label, state }: StepTaken): number {
  if (kind === 'watcher' && label === 'BEGIN' && state === 'asked') return weather.freezeAtWork;
  if (kind === 'maintenance' && label.startsWith(TIMES_OUT) && state === 'asked')
    return weather.freezeAtExpiry;
  if (kind === 'notifier' && label === 'post' && state === 'ready') return weather.freezeAtAnswer;
  return 0;
}

/** Whoever lost its lease to this process may wake at the worst moment: before anything was done under the new one. */
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
