// What the processes of `npm start` hold and use at rest: memory and processor for each kind of process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningProcess } from '@ducat/devnet/process/running-process';
import pg from 'pg';
import { parse } from 'smol-toml';
import type { Figure } from '../measure.ts';
import { processorSecondsWithEnded, processTree, type RunningChild, shareMb } from '../process-memory.ts';

/**
 * After the last order: by then chains, searches and sessions have grown quiet, and V8 has collected the garbage of the
 * start. One minute after the start the gateway holds some 15 MB more.
 */
const REST_MS = 240_000;
/** How long CPU time is counted. A vacuum or a search that comes once a minute is in it. */
const COUNTED_MS = 120_000;
/** Megabytes of the gateway with its database. */
const MOST_MB = 200;
/** Cores of the gateway with its database. */
const MOST_CORES = 0.02;

/** A name for each kind of process, by its command line. Processes of one kind are added up. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ['gateway', /gateway-ahead|gateway\/dist\/main\.js/],
  ['signer', /signer\/dist\/main\.js/],
  ['dev nodes (anvil)', /anvil/],
  ['PostgreSQL', /postgres/],
  ['start, with shop and Tron chain', /ducat\.mjs|run\.mjs/],
  ['npm', /npm/],
];

interface Sum {
  readonly mb: number;
  readonly seconds: number;
  readonly processes: number;
  /** The ids of the processes, as text. */
  readonly pids: string;
}

/**
 * Ends the wait for the demo's open order, waits until everything is quiet, and counts.
 *
 * @param pid - the process that was started; its children belong to it
 * @param state - the folder of the demo's state
 */
export async function figuresAtRest(pid: number, state: string): Promise<readonly Figure[]> {
  await expireOpenOrders(state);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const before = sumsOf(processTree(pid));
  await new Promise((resolve) => setTimeout(resolve, COUNTED_MS));
  const after = sumsOf(processTree(pid));
  if (sumOf(before, 'gateway').pids !== sumOf(after, 'gateway').pids)
    throw new Error('the gateway ended while its processor time was counted');
  const cores = (kind: string) =>
    ((after.get(kind)?.seconds ?? 0) - (before.get(kind)?.seconds ?? 0)) / (COUNTED_MS / 1_000);
  const togetherMb = sumOf(after, 'gateway').mb + sumOf(after, 'PostgreSQL').mb;
  const togetherCores = cores('gateway') + cores('PostgreSQL');
  return [
    ...[...after].map(([kind, { mb, processes }]) => ({
      what: `  at rest: ${kind}`,
      seen: `${Math.round(mb)} MB, ${cores(kind).toFixed(4)} cores${processes > 1 ? `, ${processes} processes` : ''}`,
      value: '',
      goal: '',
      met: null,
    })),
    {
      what: '  at rest: memory of gateway and PostgreSQL',
      seen: `${Math.round(togetherMb)} MB`,
      value: '',
      goal: `< ${MOST_MB} MB`,
      met: togetherMb < MOST_MB,
    },
    {
      what: '  at rest: processors of gateway and PostgreSQL',
      seen: `${togetherCores.toFixed(4)} cores`,
      value: '',
      goal: `< ${MOST_CORES} cores`,
      // Elsewhere the processor time of another process is not known.
      met: process.platform === 'linux' ? togetherCores < MOST_CORES : null,
    },
  ];
}

/** The demo makes an order at each start. A chain with an open order is not idle. */
async function expireOpenOrders(state: string): Promise<void> {
  const configuration = parse(readFileSync(join(state, 'ducat.toml'), 'utf8')) as {
    database: { url: string };
  };
  const client = new pg.Client({ connectionString: configuration.database.url });
  await client.connect();
  try {
    await client.query(
      `UPDATE orders SET time_expire = extract(epoch FROM now())::bigint - 5 WHERE status = 'TO-BE-PAID'`,
    );
  } finally {
    await client.end();
  }
}

/** @throws Error where a kind is missing: a sum without the gateway would meet every goal. */
function sumOf(sums: ReadonlyMap<string, Sum>, kind: string): Sum {
  const sum = sums.get(kind);
  if (sum === undefined) throw new Error(`no process of the kind "${kind}" was found`);
  return sum;
}

function sumsOf(running: readonly RunningChild[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { pid, command } of running) {
    const use = useOf(pid);
    if (use === null) continue;
    const kind = kinds.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other';
    const { mb, seconds, processes, pids } = sums.get(kind) ?? { mb: 0, seconds: 0, processes: 0, pids: '' };
    sums.set(kind, {
      mb: mb + use.mb,
      seconds: seconds + use.seconds,
      processes: processes + 1,
      pids: `${pids} ${pid}`,
    });
  }
  return sums;
}

/** Null for a process that has ended meanwhile: from then on its parent has its time. */
function useOf(pid: number): { readonly mb: number; readonly seconds: number } | null {
  try {
    return { mb: shareMb(pid), seconds: processorSecondsWithEnded(pid) };
  } catch (error) {
    if (findRunningProcess(pid) !== undefined) throw error;
    return null;
  }
}
