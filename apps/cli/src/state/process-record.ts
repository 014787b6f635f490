// Remembers the processes that a start has made, so that the next start can end those that a killed start left running.
import { rmSync } from 'node:fs';
import { findRunningProcess, isAlive } from '@ducat/devnet/process/running-process';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { readJson, writePrivateFile } from './private-file.ts';

/** A child of ours. Pid and start time together identify one process. */
export interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
  readonly startedAt: string;
}

export interface ProcessRecord {
  /** Notes a child that was just made. */
  add(name: string, pid: number): void;
  /** Forgets a child that has ended. */
  remove(pid: number): void;
  /** Empties the record, after everything has ended in order. */
  clear(): void;
}

const GENTLE_MS = 5_000;
const HARD_MS = 5_000;

/** Opens the record at `path`, emptied. Orphans must be ended before. */
export function openProcessRecord(path: string): ProcessRecord {
  let children: RecordedProcess[] = [];
  const write = () => writePrivateFile(path, `${JSON.stringify(children, null, 2)}\n`);
  write();
  return {
    add(name, pid) {
      const running = findRunningProcess(pid);
      // A child that has ended already cannot be left running.
      if (running === undefined) return;
      children.push({ name, pid, startedAt: running.startedAt });
      write();
    },
    remove(pid) {
      children = children.filter((child) => child.pid !== pid);
      write();
    },
    clear: () => rmSync(path, { force: true }),
  };
}

/**
 * Ends the processes that an earlier start left running, and returns them. A process that only reuses a pid is left
 * alone.
 */
export async function endOrphans(path: string): Promise<readonly RecordedProcess[]> {
  // The newest first, because later processes depend on earlier ones.
  const orphans = readProcessRecord(path).filter(isStillThat).reverse();
  for (const orphan of orphans) await endProcess(orphan);
  return orphans;
}

/** The processes in the record at `path`; none where it is missing or damaged. */
export function readProcessRecord(path: string): readonly RecordedProcess[] {
  const value = readJson(path);
  return Array.isArray(value) ? value.filter(isRecorded) : [];
}

async function endProcess(orphan: RecordedProcess): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGTERM', GENTLE_MS],
    ['SIGKILL', HARD_MS],
  ] as const) {
    if (!isStillThat(orphan)) return;
    process.kill(orphan.pid, signal);
    const ended = () => !isStillThat(orphan);
    try {
      await waitUntil(`${orphan.name} to end`, ended, { timeoutMs, everyMs: 50 });
      return;
    } catch {
      // The stronger signal is next. After the last signal, only an error remains.
    }
  }
  throw new Error(`${orphan.name} of an earlier start (process ${orphan.pid}) does not end`);
}

function isStillThat(recorded: RecordedProcess): boolean {
  return isAlive(recorded.pid) && findRunningProcess(recorded.pid)?.startedAt === recorded.startedAt;
}

function isRecorded(value: unknown): value is RecordedProcess {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    typeof fields.get('name') === 'string' &&
    Number.isInteger(fields.get('pid')) &&
    typeof fields.get('startedAt') === 'string'
  );
}
