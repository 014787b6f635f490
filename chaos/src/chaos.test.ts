// A short run of the real command; and that nothing is left of one that is itself killed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '@ducat/devnet/process/running-process';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, beforeEach, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Far more than it takes, for machines that are busy with something else. */
const timeout = 600_000;
let folder: string;
let child: ChildProcess | null = null;
let output: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-chaos-test-'));
  // PostgreSQL may run as another user, who has to be able to traverse this folder.
  chmodSync(folder, 0o711);
  output = '';
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await waitUntil('the run to clean up', () => left().length === 0, { timeoutMs: 60_000 });
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: readonly string[]): ChildProcess {
  const environment = { ...process.env, TMPDIR: folder };
  const run = spawn(process.execPath, [program, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece.toString('utf8');
    });
  }
  child = run;
  return run;
}

/** Everything that a run leaves in its temporary folder. */
const left = () => readdirSync(folder);

it('loses and doubles nothing while a few things are killed', { timeout }, async () => {
  const only = [
    'kill -9 watcher',
    'kill -9 PostgreSQL, started again',
    'cut after COMMIT, before its answer',
  ];
  const run = start(
    '--cycles',
    '3',
    '--failovers',
    '1',
    '--seed',
    '7',
    ...only.flatMap((name) => ['--only', name]),
  );
  await once(run, 'exit');
  expect(output).toMatch(/\nlost +0\ndoubled +0\ninvented +0\nwrong +0\n/);
  for (const name of [...only, 'kill -9 of the primary, standby promoted'])
    expect(output).toContain(`s  ${name}`);
  // Without payments the run would have compared nothing with nothing.
  expect(output).toMatch(/\nfinal payments on the chains +[1-9]/);
  expect(run.exitCode).toBe(0);
  expect(left()).toEqual([]);
});

it('refuses a fault that it does not know, and names those that it knows', { timeout }, async () => {
  const run = start('--cycles', '1', '--only', 'kill -9 watchers');
  await once(run, 'exit');
  expect(output).toContain('no fault is named kill -9 watchers; these are known: kill -9 api,');
  expect(output).not.toContain('everything runs');
  expect(run.exitCode).toBe(2);
});

it('finds what a failover loses where nobody waits for the standby', { timeout }, async () => {
  const run = start('--cycles', '0', '--failovers', '1', '--seed', '7', '--asynchronous');
  await once(run, 'exit');
  expect(output).toMatch(/\nlost +[1-9]/);
  expect(output).toContain('LOST: the acknowledged order ord_');
  expect(run.exitCode).toBe(1);
  expect(left()).toEqual([]);
});

it.runIf(process.platform === 'linux')(
  'leaves nothing behind when it is killed itself',
  { timeout },
  async () => {
    const run = start('--cycles', '50', '--failovers', '0', '--seed', '8');
    const runs = () => {
      if (run.exitCode !== null) throw new Error(`the run ended:\n${output}`);
      return output.includes('everything runs');
    };
    await waitUntil('everything to run', runs, { timeoutMs: 120_000 });
    const pids = descendantsOf(run.pid ?? 0);
    // Two servers, three nodes, seven roles, and the reaper.
    expect(pids.length).toBeGreaterThanOrEqual(13);
    run.kill('SIGKILL');
    await once(run, 'exit');
    await waitUntil('all of its processes to be gone', () => !pids.some(isAlive), { timeoutMs: 30_000 });
    await waitUntil('its files to be gone', () => left().length === 0, { timeoutMs: 30_000 });
  },
);

function descendantsOf(root: number): readonly number[] {
  const table = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n');
  const pairs = table.map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) {
    for (const [pid, ppid] of pairs) if (ppid === parent && pid !== undefined) found.push(pid);
  }
  return found.slice(1);
}
