// `npm start` of an installed tree: seconds until it is ready, and what each of its processes holds at rest.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '@ducat/devnet/process/end-with-us';
import { isAlive } from '@ducat/devnet/process/running-process';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Bench, Figure } from '../measure.ts';
import { processTree, residentMb } from '../process-memory.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const READY = 'Ctrl-C stops everything';
/** After this long nothing of the start is going on any more. */
const REST_MS = 5_000;

export const start: Bench = {
  name: 'start',
  about: 'npm start, installed, to ready; resident memory of each process at rest',
  async run(stage) {
    const state = join(stage.folder, 'state');
    const first = await startOnce(state, false);
    const again = await startOnce(state, true);
    return [
      secondsFigure('npm start, a new state, to ready', first.seconds),
      secondsFigure('npm start, a state that was used', again.seconds),
      ...again.resident,
    ];
  },
};

function secondsFigure(what: string, seconds: number): Figure {
  return { what, seen: `${seconds.toFixed(1)} s`, value: '', goal: '', met: null };
}

interface Started {
  readonly seconds: number;
  readonly resident: readonly Figure[];
}

async function startOnce(state: string, measured: boolean): Promise<Started> {
  const startMs = performance.now();
  const child = spawn('npm', ['start', '--', '--state', state], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // npm passes SIGTERM on; the demo then ends what it started.
  const forget = endWithUs(() => void child.kill('SIGTERM'));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
    return output.includes(READY);
  };
  try {
    await waitUntil('npm start to be ready', isReady, { timeoutMs: 240_000, everyMs: 10 });
    const seconds = (performance.now() - startMs) / 1000;
    if (!measured) return { seconds, resident: [] };
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { seconds, resident: residentOf(child.pid ?? 0) };
  } finally {
    await endTree(child.pid ?? 0);
    await gone;
    forget();
  }
}

/** Not every version of npm passes the signal on: the start itself gets the signal, and each process of it is awaited. */
async function endTree(pid: number): Promise<void> {
  const tree = processTree(pid);
  const start =
    tree.find(({ command }) => /run\.mjs start/.test(command) && !command.startsWith('sh')) ?? tree[0];
  if (start !== undefined) process.kill(start.pid, 'SIGTERM');
  await waitUntil('all of npm start to be gone', () => !tree.some((running) => isAlive(running.pid)), {
    timeoutMs: 60_000,
  });
}

/** What people would call each process, by its command line; those of one kind are added up. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ['gateway', /gateway\/dist\/main\.js/],
  ['signer', /signer\/dist\/main\.js/],
  ['dev nodes (anvil)', /anvil/],
  ['PostgreSQL, shared pages in each', /postgres/],
  ['start, with shop and Tron chain', /ducat\.mjs|run\.mjs/],
  ['npm', /npm/],
];

function residentOf(pid: number): readonly Figure[] {
  const sums = new Map<string, { mb: number; processes: number }>();
  for (const running of processTree(pid)) {
    const kind = kinds.find(([, pattern]) => pattern.test(running.command))?.[0] ?? 'other';
    const sum = sums.get(kind) ?? { mb: 0, processes: 0 };
    sums.set(kind, { mb: sum.mb + residentMb(running.pid), processes: sum.processes + 1 });
  }
  return [...sums].map(([what, { mb, processes }]) => ({
    what: `  at rest: ${what}`,
    seen: `${Math.round(mb)} MB${processes > 1 ? ` in ${processes}` : ''}`,
    value: '',
    goal: '',
    met: null,
  }));
}
