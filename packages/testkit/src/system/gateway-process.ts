// The gateway as a process of its own, on the database and the chains of a system test, to be killed without warning.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '@ducat/devnet/process/end-with-us';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { stringify } from 'smol-toml';
import { masterSecret } from './open-shop.ts';
import type { System } from './system.ts';

/** The built program: the types are checked and built before tests run. */
const program = fileURLToPath(new URL('../../../gateway/dist/main.js', import.meta.url));

export interface GatewayProcess {
  /** What the process wrote to stdout and stderr. */
  output(): string;
  /** What the process wrote to stderr. */
  complaint(): string;
  /** The addresses of the gateway, once it has logged them. Its log level has to be info or below. */
  ready(): Promise<ReadyGateway>;
  /** Whether the process still runs. */
  isAlive(): boolean;
  /** Stops the process where it stands (SIGSTOP), as on a machine that swaps or in a virtual machine that is moved. */
  freeze(): void;
  thaw(): void;
  /** Sends SIGTERM, and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, and resolves once the process is gone. */
  kill(): Promise<void>;
}

export interface ReadyGateway {
  readonly apiUrl: string;
  readonly operationsUrl: string;
}

export interface ProcessOptions {
  readonly logLevel?: string;
  /** Changes the addresses of the nodes. */
  readonly nodeUrl?: (url: string) => string;
  /** Sections of the configuration that replace the usual ones. */
  readonly sections?: Readonly<Record<string, unknown>>;
  /** Another URL by which the database of the system is reached. */
  readonly databaseUrl?: string;
}

/**
 * Starts the process. Its work shows in the database and at the receiver. The gateway of `system` has to be stopped
 * before.
 */
export function startGatewayProcess(system: System, options: ProcessOptions = {}): GatewayProcess {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-system-'));
  const path = join(folder, 'ducat.toml');
  writeFileSync(path, configText(system, options));
  const child = spawn(process.execPath, [program, '--config', path], {
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl ?? system.database.url,
      DUCAT_MASTER_SECRET: Buffer.from(masterSecret).toString('hex'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
    output += chunk.toString();
  });
  const forget = endWithUs(() => void child.kill('SIGKILL'));
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await gone;
    forget();
    rmSync(folder, { recursive: true, force: true });
    return child.exitCode;
  };
  return {
    output: () => output,
    complaint: () => complaint,
    ready: () => waitUntil('the gateway to say where it listens', () => readyLine(output)),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

function configText(
  { eth, bsc }: System,
  { logLevel = 'warn', nodeUrl = (url) => url, sections = {} }: ProcessOptions,
): string {
  return stringify({
    demo: true,
    api: { port: 0 },
    pages: { port: 0 },
    operations: { port: 0 },
    webhooks: { allowed_private_ranges: ['127.0.0.0/8'] },
    rates: { source: 'fixed-demo' },
    addresses: { pool_size: 10 },
    log: { level: logLevel },
    chains: Object.fromEntries(
      [eth, bsc].map(({ name, entry }) => [name, { ...entry, rpc_urls: entry.rpc_urls.map(nodeUrl) }]),
    ),
    ...sections,
  });
}

function readyLine(output: string): ReadyGateway | false {
  const line = output.split('\n').find((text) => text.includes('"msg":"ready"'));
  // The gateway writes its log as JSON, and both addresses into this line.
  return line === undefined ? false : (JSON.parse(line) as ReadyGateway);
}
