// `npm start` of an installed tree: seconds until it is ready, and what its processes hold and use at rest.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '@ducat/devnet/process/end-with-us';
import { isAlive } from '@ducat/devnet/process/running-process';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Bench, Figure } from '../measure.ts';
import { processTree } from '../process-memory.ts';
import { median } from '../rounds.ts';
import { figuresAtRest } from './at-rest.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const READY = 'Ctrl-C stops everything';
/** Starts of a used state; their median counts. */
const USED_STARTS = 5;
/** Seconds. */
const MOST_SECONDS = 3;

export const start: Bench = {
  name: 'start',
  about: 'npm start, installed, to ready; memory and processors at rest',
  async run(stage) {
    const state = join(stage.folder, 'state');
    const first = await startOnce(state);
    const used: number[] = [];
    while (used.length < USED_STARTS - 1) used.push((await startOnce(state)).seconds);
    const last = await startOnce(state, figuresAtRest);
    return [
      {
        what: 'npm start, a new state, to ready',
        seen: inSeconds(first.seconds),
        value: '',
        goal: '',
        met: null,
      },
      usedFigure([...used, last.seconds]),
      ...last.figures,
    ];
  },
};

const inSeconds = (seconds: number) => `${seconds.toFixed(1)} s`;

function usedFigure(starts: readonly number[]): Figure {
  const middle = median(starts);
  const [least, most] = [Math.min(...starts), Math.max(...starts)].map((seconds) => seconds.toFixed(1));
  return {
    what: 'npm start, a state that was used, to ready',
    seen: `${inSeconds(middle)} (${least}-${most})`,
    value: '',
    goal: `< ${inSeconds(MOST_SECONDS)}`,
    met: middle < MOST_SECONDS,
  };
}

interface Started {
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

/** @param measure - what is measured while it runs; nothing by default */
async function startOnce(state: string, measure: typeof figuresAtRest = async () => []): Promise<Started> {
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
    return { seconds, figures: await measure(child.pid ?? 0, state) };
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
