// Workers: processes side by side, each with a database of its own, so that all cores have work.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, WorkerCommand } from './commands.ts';
import type { RunResult } from '../run-seed.ts';

export interface Worker {
  run(job: Job): Promise<RunResult>;
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly adminUrl: string;
  /** The planted bug that the worker's product has. */
  readonly planted?: string;
  readonly change?: readonly string[];
}

/** The path of the compiled program, even where this file runs uncompiled. */
function compiled(file: string): string {
  return fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));
}

export async function openWorker({ adminUrl, planted, change = [] }: WorkerOptions): Promise<Worker> {
  const plant = ['--import', compiled('plants/plant.js')];
  const child = fork(compiled('workers/worker.js'), [], {
    serialization: 'advanced',
    execArgv: planted === undefined ? [] : plant,
    env: { ...process.env, ...(planted === undefined ? {} : { DUCAT_SIM_PLANTED: planted }) },
  });
  await send(child, { kind: 'open', adminUrl, change });
  return {
    // The other end is `worker.ts`, which answers a job with its result.
    run: async (job) => (await send(child, { kind: 'run', job })) as RunResult,
    close: async () => {
      await send(child, { kind: 'close' });
    },
  };
}

interface Answer {
  readonly ok: boolean;
  readonly value: unknown;
  readonly error: string;
}

/** Sends one command at a time, so the next message is its answer. */
function send(child: ChildProcess, command: WorkerCommand): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a worker ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer: Answer) => {
      child.off('exit', onExit);
      if (answer.ok) resolve(answer.value);
      else reject(new Error(answer.error));
    });
    child.send(command);
  });
}

/** Runs the jobs on the workers. Calls `onResult` once for each job, in the order of the jobs. */
export async function runJobs(
  workers: readonly Pick<Worker, 'run'>[],
  jobs: readonly Job[],
  onResult: (result: RunResult, job: Job) => void,
): Promise<void> {
  const done = new Map<number, RunResult>();
  let next = 0;
  let reported = 0;
  const work = async (worker: Pick<Worker, 'run'>): Promise<void> => {
    for (let place = next++; place < jobs.length; place = next++) {
      const job = jobs[place];
      if (job === undefined) return;
      done.set(place, await worker.run(job));
      for (let result = done.get(reported); result !== undefined; result = done.get(reported)) {
        const ofResult = jobs[reported];
        done.delete(reported++);
        if (ofResult !== undefined) onResult(result, ofResult);
      }
    }
  };
  await Promise.all(workers.map(work));
}
