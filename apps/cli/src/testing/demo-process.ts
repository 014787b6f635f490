// For tests: the real `ducat start` as a child process, which can be started, called and killed with all its children.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { isAlive } from '@ducat/devnet/process/running-process';

/** The workspace, where `npx ducat` finds the command. */
export const workspace = fileURLToPath(new URL('../../../../', import.meta.url));
const program = fileURLToPath(new URL('../../bin/ducat.mjs', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DemoProcess {
  /** The whole output so far. */
  output(): string;
  /** All processes of the demo, the start itself included. */
  pids(): readonly number[];
  /** Sends a signal to the start alone, waits until it ends, and returns its exit code. */
  end(signal: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
  /** kill -9 of everything at once. */
  killEverything(): Promise<void>;
}

/** Starts the demo on a state folder and waits until it reports that it is ready. */
export async function startDemoProcess(state: string): Promise<DemoProcess> {
  const child = spawn(process.execPath, [program, 'start', '--state', state], {
    cwd: workspace,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const demo = demoProcess(child, () => output);
  const isReady = () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`ducat start ended:\n${output}`);
    return output.includes('Ctrl-C stops everything');
  };
  try {
    await waitUntil('the demo to be ready', isReady, { timeoutMs: 240_000, everyMs: 50 });
  } catch (error) {
    await demo.killEverything();
    throw new Error(`the demo did not become ready:\n${output}`, { cause: error });
  }
  return demo;
}

function demoProcess(child: ChildProcess, output: () => string): DemoProcess {
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const pids = () => (child.pid === undefined ? [] : withDescendants(child.pid));
  return {
    output,
    pids,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
    killEverything: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const doomed = pids();
      for (const pid of doomed) killHard(pid);
      await ended;
      await waitUntil('all processes to be gone', () => !doomed.some(isAlive), { timeoutMs: 30_000 });
    },
  };
}

/** Runs a command of `ducat` to its end, whatever its exit code. */
export function ducat(state: string, ...args: readonly string[]): Promise<Ran> {
  return run(process.execPath, [program, ...args], { DUCAT_STATE: state });
}

/** Runs a text as a person at a shell would, in the workspace. */
export function shell(text: string, extra: NodeJS.ProcessEnv = {}, timeoutMs = TIMEOUT_MS): Promise<Ran> {
  return run('bash', ['-c', text], extra, timeoutMs);
}

const TIMEOUT_MS = 180_000;

function run(
  file: string,
  args: readonly string[],
  extra: NodeJS.ProcessEnv,
  timeoutMs = TIMEOUT_MS,
): Promise<Ran> {
  return new Promise((resolve) => {
    const options = {
      cwd: workspace,
      env: { ...environment(), ...extra },
      timeout: timeoutMs,
      maxBuffer: 16 * 1024 * 1024,
    };
    execFile(file, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, stdout, stderr });
    });
  });
}

/** The tests decide the demo's environment, not the shell that they are started from. */
function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, DUCAT_MASTER_SECRET: _secret, DUCAT_STATE: _state, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
}

function withDescendants(root: number): readonly number[] {
  const table = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout;
  const pairs = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) {
    for (const [pid, ppid] of pairs) if (ppid === parent && pid !== undefined) found.push(pid);
  }
  return found;
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended with its parent.
  }
}
