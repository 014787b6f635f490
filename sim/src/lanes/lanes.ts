// Lanes: processes side by side, each with a database of its own, so that all cores have work.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, LaneOrder } from './orders.ts';
import type { RunResult } from '../run-seed.ts';

export interface Lane {
  run(job: Job): Promise<RunResult>;
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly adminUrl: string;
  /** The planted bug that the lane's product has. */
  readonly planted?: string;
  readonly change?: readonly string[];
}

/** The compiled program, whether this file runs compiled or not. */
function compiled(file: string): string {
  return fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));
}

export async function openLane({ adminUrl, planted, change = [] }: LaneOptions): Promise<Lane> {
  const plant = ['--import', compiled('plants/plant.js')];
  const child = fork(compiled('lanes/lane.js'), [], {
    serialization: 'advanced',
    execArgv: planted === undefined ? [] : plant,
    env: { ...process.env, ...(planted === undefined ? {} : { DUCAT_SIM_PLANTED: planted }) },
  });
  await tell(child, { kind: 'open', adminUrl, change });
  return {
    // The other end is `lane.ts`, which answers a job with its result.
    run: async (job) => (await tell(child, { kind: 'run', job })) as RunResult,
    close: async () => {
      await tell(child, { kind: 'close' });
    },
  };
}

interface Answer {
  readonly ok: boolean;
  readonly value: unknown;
  readonly error: string;
}

/** One order at a time: the next message is its answer. */
function tell(child: ChildProcess, order: LaneOrder): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a lane ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer: Answer) => {
      child.off('exit', onExit);
      if (answer.ok) resolve(answer.value);
      else reject(new Error(answer.error));
    });
    child.send(order);
  });
}

/** Runs the jobs on the lanes and hears of their ends in the order of the jobs. Stops where `hear` says so. */
export async function runJobs(
  lanes: readonly Pick<Lane, 'run'>[],
  jobs: readonly Job[],
  hear: (result: RunResult, job: Job) => void,
): Promise<void> {
  const done = new Map<number, RunResult>();
  let next = 0;
  let heard = 0;
  const work = async (lane: Pick<Lane, 'run'>): Promise<void> => {
    for (let place = next++; place < jobs.length; place = next++) {
      const job = jobs[place];
      if (job === undefined) return;
      done.set(place, await lane.run(job));
      for (let result = done.get(heard); result !== undefined; result = done.get(heard)) {
        const ofResult = jobs[heard];
        done.delete(heard++);
        if (ofResult !== undefined) hear(result, ofResult);
      }
    }
  };
  await Promise.all(lanes.map(work));
}
