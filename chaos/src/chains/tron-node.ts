// Starts the process of a Tron dev node and uses its controls over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Reaper } from '../processes/reaper.ts';

export interface TronNode {
  readonly fullUrl: string;
  readonly solidityUrl: string;
  readonly genesisId: string;
  /** Uses one of the node's controls and returns its answer. Throws with the node's refusal. */
  control(name: string, parameters?: object): Promise<unknown>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../dist/chains/tron-node-process.js', import.meta.url));
const ANSWER_WITHIN_MS = 30_000;

/** `balance` is what each of the accounts starts with, in sun. */
export async function startTronNode(accounts: number, balance: bigint, reaper: Reaper): Promise<TronNode> {
  const child = spawn(process.execPath, [program, String(accounts), String(balance)], {
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  if (pid !== 0) reaper.born(pid);
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const first = await Promise.race([once(lines, 'line', { signal }), ended.then(() => [])]);
  const { fullUrl, solidityUrl, genesisId } = readAddresses(String(first[0] ?? ''));
  return {
    fullUrl,
    solidityUrl,
    genesisId,
    control: (name, parameters = {}) => control(fullUrl, name, parameters),
    stop: async () => {
      child.stdin.end();
      await ended;
      reaper.gone(pid);
    },
  };
}

function readAddresses(line: string): Pick<TronNode, 'fullUrl' | 'solidityUrl' | 'genesisId'> {
  if (line === '') throw new Error('the Tron node ended at once');
  const value: unknown = JSON.parse(line);
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const text = (name: string) => String(fields.find(([field]) => field === name)?.[1] ?? '');
  return { fullUrl: text('fullUrl'), solidityUrl: text('solidityUrl'), genesisId: text('genesisId') };
}

async function control(fullUrl: string, name: string, parameters: object): Promise<unknown> {
  const response = await fetch(`${fullUrl}/dev/${name}`, {
    method: 'POST',
    body: JSON.stringify(parameters),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer !== null && 'Error' in answer)
    throw new Error(`the Tron node refused ${name}: ${String(answer.Error)}`);
  return answer;
}
