// Memory and CPU time of a process, as the system counts them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Resident memory in megabytes; 0 where there is no such process. */
export function residentMb(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim()) / 1024;
}

/** Megabytes. On Linux a page that processes share counts once in all of them together; elsewhere resident memory. */
export function shareMb(pid: number): number {
  if (process.platform !== 'linux') return residentMb(pid);
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Seconds of CPU time that a process has used; 0 where the system is not Linux. */
export function processorSeconds(pid: number): number {
  const [user, system] = processorTimes(pid);
  return user + system;
}

/**
 * The same with the time of its children that have ended. So the sum over PostgreSQL's processes loses nothing when a
 * session ends: what the session had used moves to its parent.
 */
export function processorSecondsWithEnded(pid: number): number {
  return processorTimes(pid).reduce((sum, seconds) => sum + seconds, 0);
}

/** Seconds: user and system time of the process, then of its children that have ended. */
function processorTimes(pid: number): readonly [number, number, number, number] {
  if (process.platform !== 'linux') return [0, 0, 0, 0];
  // The name may hold anything, so count after it: fields 12 to 15 are these four, in hundredths of a second.
  const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = after
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) / 100);
  return [user, system, endedUser, endedSystem];
}

/** Peak resident memory in megabytes on Linux; elsewhere the current resident memory. */
export function peakMb(pid: number): number {
  if (process.platform !== 'linux') return residentMb(pid);
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

export interface RunningChild {
  readonly pid: number;
  readonly command: string;
}

/** A process and everything below it. */
export function processTree(root: number): readonly RunningChild[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found === null ? [] : [{ pid: Number(found[1]), parent: Number(found[2]), command: found[3] ?? '' }],
    );
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}
