// `npm start` of an installed tree: seconds until it is ready, and what its processes hold and use at rest.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '@ducat/devnet/process/end-with-us';
import { isAlive } from '@ducat/devnet/process/running-process';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Bench, Figure } from '../measure.ts';
import { processorSeconds, processTree, type RunningChild, shareMb } from '../process-memory.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const READY = 'Ctrl-C stops everything';
/**
 * By then the first round has compared every currency of four chains, and V8 has collected the garbage of the start. One
 * minute after the start the gateway holds some 15 MB more; after three minutes these are freed for good.
 */
const REST_MS = 180_000;
/** How long CPU time is counted. */
const COUNTED_MS = 30_000;
/** Megabytes of the gateway with its database. */
const MOST_MB = 200;

export const start: Bench = {
  name: 'start',
  about: 'npm start, installed, to ready; memory and processors at rest',
  async run(stage) {
    const state = join(stage.folder, 'state');
    const first = await startOnce(state, false);
    const again = await startOnce(state, true);
    return [
      secondsFigure('npm start, a new state, to ready', first.seconds),
      secondsFigure('npm start, a state that was used', again.seconds),
      ...again.atRest,
    ];
  },
};

function secondsFigure(what: string, seconds: number): Figure {
  return { what, seen: `${seconds.toFixed(1)} s`, value: '', goal: '', met: null };
}

interface Started {
  readonly seconds: number;
  readonly atRest: readonly Figure[];
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
    if (!measured) return { seconds, atRest: [] };
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { seconds, atRest: await atRestOf(child.pid ?? 0) };
  } finally {
    await endTree(child.pid ?? 0);
    await gone;
    forget();
  }
}

/** Not every version of npm passes signals on, so the start script itself gets SIGTERM. Then all processes are awaited. */
async function endTree(pid: number): Promise<void> {
  const tree = processTree(pid);
  const start =
    tree.find(({ command }) => /run\.mjs start/.test(command) && !command.startsWith('sh')) ?? tree[0];
  if (start !== undefined) process.kill(start.pid, 'SIGTERM');
  await waitUntil('all of npm start to be gone', () => !tree.some((running) => isAlive(running.pid)), {
    timeoutMs: 60_000,
  });
}

/** A name for each kind of process, by its command line. Processes of one kind are added up. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ['gateway', /gateway\/dist\/main\.js/],
  ['signer', /signer\/dist\/main\.js/],
  ['dev nodes (anvil)', /anvil/],
  ['PostgreSQL', /postgres/],
  ['start, with shop and Tron chain', /ducat\.mjs|run\.mjs/],
  ['npm', /npm/],
];

interface Sum {
  readonly mb: number;
  readonly cores: number;
  readonly processes: number;
}

async function atRestOf(pid: number): Promise<readonly Figure[]> {
  const running = processTree(pid).filter(({ pid: each }) => isAlive(each));
  const before = new Map(running.map((each) => [each.pid, processorSeconds(each.pid)]));
  await new Promise((resolve) => setTimeout(resolve, COUNTED_MS));
  const alive = running.filter(({ pid: each }) => isAlive(each));
  const sums = new Map<string, Sum>();
  for (const each of alive) {
    const kind = kindOf(each);
    const { mb, cores, processes } = sums.get(kind) ?? { mb: 0, cores: 0, processes: 0 };
    const used = processorSeconds(each.pid) - (before.get(each.pid) ?? 0);
    sums.set(kind, {
      mb: mb + shareMb(each.pid),
      cores: cores + used / (COUNTED_MS / 1_000),
      processes: processes + 1,
    });
  }
  const together = (sums.get('gateway')?.mb ?? 0) + (sums.get('PostgreSQL')?.mb ?? 0);
  return [
    ...[...sums].map(([kind, { mb, cores, processes }]) => ({
      what: `  at rest: ${kind}`,
      seen: `${Math.round(mb)} MB, ${cores.toFixed(3)} cores${processes > 1 ? `, ${processes} processes` : ''}`,
      value: '',
      goal: '',
      met: null,
    })),
    {
      what: '  at rest: gateway and PostgreSQL',
      seen: `${Math.round(together)} MB`,
      value: '',
      goal: `< ${MOST_MB} MB`,
      met: together < MOST_MB,
    },
  ];
}

function kindOf({ command }: RunningChild): string {
  return kinds.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other';
}
