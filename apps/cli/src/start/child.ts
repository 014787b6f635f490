// Runs one program of ours as a child process whose output goes to a log file.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { ProcessRecord } from '../state/process-record.ts';

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Resolves with the reason that the child ended, whatever it was. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** Lets a child begin that was started with `waits`. */
  begin(): void;
  /** The last output of the child since it was started. */
  lastWords(): string;
  /** Asks the child to stop and waits. Kills it where it takes too long. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly name: string;
  /** The JavaScript file to run with this node. */
  readonly script: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly record: ProcessRecord;
  /** Whether the child waits for a message before it begins. */
  readonly waits?: true;
  readonly stopTimeoutMs: number;
}

/** Starts the child. It is detached, so that Ctrl-C reaches only this process, which ends the children in order. */
export function startChild(options: ChildOptions): Child {
  rotate(options.logFile);
  const log = openSync(options.logFile, 'a', 0o600);
  const logStart = statSync(options.logFile).size;
  const child = spawn(process.execPath, [options.script, ...options.args], {
    env: options.environment ?? process.env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', log, log, ...(options.waits === true ? (['ipc'] as const) : [])],
  });
  closeSync(log);
  const pid = child.pid ?? 0;
  if (pid !== 0) options.record.add(options.name, pid);
  const endHard = () => void child.kill('SIGKILL');
  process.once('exit', endHard);
  const ended = whenEnded(child).then((reason) => {
    process.removeListener('exit', endHard);
    options.record.remove(pid);
    return reason;
  });
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  return {
    name: options.name,
    pid,
    ended,
    hasEnded,
    // A child that has ended gets no message. `ended` reports that.
    begin: () => void child.send?.('begin', () => undefined),
    lastWords: () =>
      readFileSync(options.logFile).subarray(logStart).toString('utf8').trimEnd().slice(-2_000),
    stop: async () => {
      if (hasEnded()) return;
      child.kill('SIGTERM');
      const hard = setTimeout(endHard, options.stopTimeoutMs);
      await ended;
      clearTimeout(hard);
    },
  };
}

/** A log that is longer than this is renamed at the next start, and replaces the log that was renamed before. */
const MAX_LOG_BYTES = 20 * 1024 * 1024;

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.old`);
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code ?? '?'}` : `signal ${signal}`),
    );
  });
}
