// Ends the PostgreSQL server that an earlier, killed parent left running on a data folder.
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { findRunningProcess } from '../process/running-process.ts';
import { waitUntil } from '../process/wait-until.ts';

/**
 * Reads postmaster.pid. A live server of exactly this folder is shut down. A pid file whose number now belongs to
 * another program is removed. Everything else is left to PostgreSQL, which recognises the pid file of a dead process
 * itself.
 */
export async function endOrphanPostgres(binaries: PostgresBinaries, dataDir: string): Promise<void> {
  const pid = readPostmasterPid(dataDir)?.pid;
  const running = pid === undefined ? undefined : findRunningProcess(pid);
  if (pid === undefined || running === undefined) return;
  const isPostgres = /postgres/i.test(running.commandLine);
  const isOfThisFolder =
    running.workingDirectory === undefined
      ? process.platform === 'win32' || running.commandLine.includes(dataDir)
      : running.workingDirectory === realpathSync(dataDir);
  if (isPostgres && isOfThisFolder) await endPostgres(binaries, dataDir, pid);
  else rmSync(join(dataDir, 'postmaster.pid'), { force: true });
}

/** Shuts a server down: first with SIGINT, which rolls open transactions back, then harder and without waiting. */
export async function endPostgres(binaries: PostgresBinaries, dataDir: string, pid: number): Promise<void> {
  // On Windows a signal kills a process at once, so pg_ctl has to ask for the clean shutdown there.
  const steps: (() => void)[] =
    process.platform === 'win32'
      ? [() => void spawnSync(binaries.program('pg_ctl'), ['stop', '-D', dataDir, '-m', 'fast', '-W'])]
      : [() => signal(pid, 'SIGINT'), () => signal(pid, 'SIGQUIT')];
  for (const step of [...steps, () => signal(pid, 'SIGKILL')]) {
    step();
    try {
      await waitUntil(`PostgreSQL ${pid} to end`, () => findRunningProcess(pid) === undefined, {
        timeoutMs: 15_000,
      });
      return;
    } catch {
      // The next, stronger step follows.
    }
  }
  throw new Error(`PostgreSQL process ${pid} on ${dataDir} does not end`);
}

/** The process id in postmaster.pid, and whether the server has declared itself ready. */
export function readPostmasterPid(dataDir: string): { pid: number; isReady: boolean } | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : undefined;
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended in the meantime, as intended.
  }
}
