// The gateway as it is installed: a process of its own on its own configuration file, with some of its roles.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '@ducat/devnet/process/end-with-us';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { gatewayNodeOptions } from '@ducat/gateway/runtime/node-options';
import type { ConfigFile, RoleName } from '@ducat/gateway/config/schema';
import { stringify } from 'smol-toml';
import { masterSecret } from './open-app.ts';

const program = fileURLToPath(import.meta.resolve('@ducat/gateway/main'));

export interface GatewayProcess {
  readonly pid: number;
  readonly apiUrl: string;
  /** "" where the gateway does not have this role. */
  readonly pagesUrl: string;
  readonly dashboardUrl: string;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** The folder for the gateway's configuration and log. */
  readonly folder: string;
  readonly name: string;
  readonly databaseUrl: string;
  readonly roles: readonly RoleName[];
  readonly chains: NonNullable<ConfigFile['chains']>;
  readonly checks?: NonNullable<ConfigFile['checks']>;
  readonly signer?: NonNullable<ConfigFile['signer']>;
}

/** A rate that no bench reaches, so that rate limits never decide. */
const NO_LIMIT = 10_000_000;

/** Starts a gateway and returns once it logs that it is ready. It logs at its usual level, because that costs time too. */
export async function startGatewayProcess(options: GatewayOptions): Promise<GatewayProcess> {
  const { folder, name, databaseUrl } = options;
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const configFile = join(place, 'ducat.toml');
  const logFile = join(place, 'gateway.log');
  writeFileSync(configFile, stringify(configOf(options)));
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [...profiling(place), program, '--config', configFile], {
    env: {
      ...process.env,
      NODE_OPTIONS: gatewayNodeOptions,
      DATABASE_URL: databaseUrl,
      DUCAT_MASTER_SECRET: Buffer.from(masterSecret).toString('hex'),
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const forget = endWithUs(() => void child.kill('SIGKILL'));
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const ready = await waitUntil(
    `the gateway ${name} to be ready`,
    () => {
      const text = readFileSync(logFile, 'utf8');
      if (child.exitCode !== null) throw new Error(`the gateway ${name} ended at once:\n${text}`);
      return text.split('\n').find((line) => line.includes('"msg":"ready"'));
    },
    { timeoutMs: 60_000, everyMs: 20 },
  );
  const { apiUrl, pagesUrl, dashboardUrl }: Readonly<Record<string, string | null>> = JSON.parse(ready);
  return {
    pid: child.pid ?? 0,
    apiUrl: apiUrl ?? '',
    pagesUrl: pagesUrl ?? '',
    dashboardUrl: dashboardUrl ?? '',
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
      forget();
    },
  };
}

function configOf({ roles, chains, checks, signer }: GatewayOptions): ConfigFile {
  return {
    demo: true,
    roles: [...roles],
    api: {
      port: 0,
      requests_per_second: NO_LIMIT,
      burst: NO_LIMIT,
      requests_per_second_per_address: NO_LIMIT,
      // A bench plays many payers, each with an address of its own in a proxy's header.
      trusted_proxies: ['127.0.0.1'],
    },
    pages: { port: 0 },
    dashboard: { port: 0 },
    operations: { port: 0 },
    webhooks: { allowed_private_ranges: ['127.0.0.0/8'] },
    rates: { source: 'fixed-demo' },
    ...(checks === undefined ? {} : { checks }),
    ...(signer === undefined ? {} : { signer }),
    chains,
  };
}

/** With DUCAT_BENCH_PROFILE set to a folder, each gateway writes a CPU profile there, where it outlives the run. */
function profiling(place: string): readonly string[] {
  const folder = process.env['DUCAT_BENCH_PROFILE'];
  if (folder === undefined) return [];
  return ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-name', `${place.split('/').at(-1)}.cpuprofile`];
}
