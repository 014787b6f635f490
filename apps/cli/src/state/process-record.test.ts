// Finds and ends the processes that a killed start left running, and nothing else.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunningProcess } from '@ducat/devnet/process/running-process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endOrphans, openProcessRecord, readProcessRecord } from './process-record.ts';

let folder: string;
let file: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-processes-'));
  file = join(folder, 'processes.json');
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process that runs until SIGTERM; with `stubborn`, until SIGKILL. */
async function sleeper(stubborn = false): Promise<number> {
  const script = `${stubborn ? "process.on('SIGTERM', () => {});" : ''} setInterval(() => {}, 1000); console.log('up')`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child.pid ?? 0;
}

describe('the record of processes', () => {
  it('lets the next start end them, the youngest first', async () => {
    const record = openProcessRecord(file);
    const [first, second] = [await sleeper(), await sleeper()];
    record.add('signer', first);
    record.add('gateway', second);
    expect((await endOrphans(file)).map(({ name }) => name)).toEqual(['gateway', 'signer']);
    expect([findRunningProcess(first), findRunningProcess(second)]).toEqual([undefined, undefined]);
    expect(await endOrphans(file)).toEqual([]);
  });

  it('ends hard what does not want to end', async () => {
    const pid = await sleeper(true);
    openProcessRecord(file).add('gateway', pid);
    await endOrphans(file);
    expect(findRunningProcess(pid)).toBeUndefined();
  }, 30_000);

  it('leaves a process alone that only has the same number', async () => {
    const pid = await sleeper();
    writeFileSync(file, JSON.stringify([{ name: 'gateway', pid, startedAt: 'long ago' }]));
    expect(await endOrphans(file)).toEqual([]);
    expect(findRunningProcess(pid)).toBeDefined();
  });

  it('forgets what has ended, and goes at the end', async () => {
    const record = openProcessRecord(file);
    const pid = await sleeper();
    record.add('gateway', pid);
    expect(readProcessRecord(file)).toHaveLength(1);
    record.remove(pid);
    expect(readProcessRecord(file)).toEqual([]);
    record.clear();
    expect(existsSync(file)).toBe(false);
  });

  it.each(['', '{}', '[null, 1, {"pid": "x"}]'])('counts as empty where it is damaged: %j', (text) => {
    writeFileSync(file, text);
    expect(readProcessRecord(file)).toEqual([]);
  });
});
