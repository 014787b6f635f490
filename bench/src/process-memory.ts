// How much memory a process holds, as the system counts it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Resident memory in megabytes; 0 where there is no such process. */
export function residentMb(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim()) / 1024;
}

/** The peak, in megabytes, where the system reports one; else what the process holds now. */
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
