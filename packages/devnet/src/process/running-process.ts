// Whether a process id is alive, and what it is, so that a recycled id is never mistaken for an old process.
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** The facts about a live process. `startedAt` is opaque; equal values mean the same process. */
export interface RunningProcess {
  readonly pid: number;
  readonly commandLine: string;
  readonly startedAt: string;
  /** Working directory, where the operating system shows it (Linux). */
  readonly workingDirectory: string | undefined;
}

/** Describes a live process, or returns undefined when no process has this id (or it is a zombie). */
export function findRunningProcess(pid: number): RunningProcess | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') return readProc(pid);
  if (process.platform === 'win32') return askTasklist(pid);
  return askPs(pid);
}

/** True when a signal could be sent to this process id, also when it belongs to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readProc(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in brackets, which may contain spaces. Counting starts after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, commandLine, startedAt: fields[19] ?? '', workingDirectory: readLink(`/proc/${pid}/cwd`) };
  } catch {
    return undefined;
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function askPs(pid: number): RunningProcess | undefined {
  const answer = spawnSync('ps', ['-o', 'stat=,lstart=,args=', '-p', String(pid)], { encoding: 'utf8' });
  const match = /^(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec((answer.stdout ?? '').trim());
  if (match === null || match[1]?.startsWith('Z')) return undefined;
  return { pid, commandLine: match[3] ?? '', startedAt: match[2] ?? '', workingDirectory: undefined };
}

function askTasklist(pid: number): RunningProcess | undefined {
  const answer = spawnSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' });
  const image = /^"([^"]+)","(\d+)"/m.exec(answer.stdout ?? '');
  if (image === null || Number(image[2]) !== pid) return undefined;
  return { pid, commandLine: image[1] ?? '', startedAt: image[1] ?? '', workingDirectory: undefined };
}
