// Runs one anvil process, the dev node that npm installed for this platform.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endWithUs } from '../process/end-with-us.ts';
import { freePort } from '../net/free-port.ts';
import { callRpc } from './json-rpc.ts';
import { testMnemonic } from './test-accounts.ts';
import { waitUntil } from '../process/wait-until.ts';

/** A running node. `ended` resolves when the process is gone, for whatever reason. */
export interface AnvilProcess {
  readonly rpcUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** The end of the process's error output. */
  complaint(): string;
  /** Kills the process at once: data that has to last is never kept by anvil itself. */
  kill(): Promise<void>;
}

/** How anvil is started. `genesisTimestamp` is in seconds. */
export interface AnvilOptions {
  readonly chainId: number;
  /** A block is `finalized` 2 x this many blocks behind the head. */
  readonly slotsInEpoch: number;
  readonly genesisTimestamp?: number;
  readonly port?: number;
  /**
   * The folder for old states that the node writes while it runs; a temporary folder unless given. Emptied at start and
   * end.
   */
  readonly cacheFolder?: string;
  readonly extraArgs?: readonly string[];
}

/** Starts anvil on 127.0.0.1 with ten funded accounts of the public test mnemonic, and waits until it answers. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const node = spawnAnvil(options, options.port ?? (await freePort()));
    try {
      await waitUntil('anvil to answer', () => answers(node, options.chainId), { timeoutMs: 30_000 });
      return node;
    } catch (error) {
      await node.kill();
      // Another program may have taken the chosen port in the meantime.
      if (options.port !== undefined || attempt >= 5) throw error;
    }
  }
}

/** The program's path. Throws an Error that names the missing package and how to install it. */
function findAnvil(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
  } catch {
    throw new Error(
      `The dev chain package ${name} is not installed (or does not exist for this platform). ` +
        'Point the chains of the configuration to RPC addresses of your own instead.',
    );
  }
}

function spawnAnvil(options: AnvilOptions, port: number): AnvilProcess {
  // Anvil writes old states to disk, by default into the home folder, where a killed process leaves them.
  const cache = options.cacheFolder ?? mkdtempSync(join(tmpdir(), 'ducat-anvil-'));
  if (options.cacheFolder !== undefined) rmSync(cache, { recursive: true, force: true });
  const child = spawn(findAnvil(), argumentsOf(options, port, cache), {
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000);
  });
  child.on('error', (error) => {
    complaint = error.message;
  });
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const forget = endWithUs(() => void child.kill('SIGKILL'));
  const ended = whenEnded(child).then(() => {
    forget();
    rmSync(cache, { recursive: true, force: true });
  });
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    ended,
    hasEnded,
    complaint: () => complaint,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function argumentsOf(options: AnvilOptions, port: number, cache: string): string[] {
  const given = {
    '--host': '127.0.0.1',
    '--port': port,
    '--chain-id': options.chainId,
    '--slots-in-an-epoch': options.slotsInEpoch,
    '--accounts': 10,
    '--balance': 1_000_000,
    '--mnemonic': testMnemonic,
    '--order': 'fifo',
    '--cache-path': cache,
    ...(options.genesisTimestamp === undefined ? {} : { '--timestamp': options.genesisTimestamp }),
  };
  const flags = Object.entries(given).flatMap(([name, value]) => [name, String(value)]);
  return [...flags, '--quiet', ...(options.extraArgs ?? [])];
}

function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

async function answers(node: AnvilProcess, chainId: number): Promise<boolean> {
  if (node.hasEnded()) throw new Error(`anvil ended at once: ${node.complaint() || 'it said nothing'}`);
  try {
    // Comparing the chain id makes sure that no other program answers on this port.
    return Number(await callRpc(node.rpcUrl, 'eth_chainId', [], 2_000)) === chainId;
  } catch {
    return false;
  }
}
