// Reads ducat.toml and the environment once, checks everything, and freezes the result.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { Value } from 'typebox/value';
import { ConfigError } from './config-error.ts';
import { type ConfiguredChain, configuredChains } from './chains.ts';
import { type ConfigFile, configSchema, type RoleName, roleNames } from './schema.ts';
import { readSecret } from './secret-file.ts';

export interface Config {
  /** The local demo: weak secrets and made-up rates are allowed, and said so everywhere. */
  readonly demo: boolean;
  readonly roles: readonly RoleName[];
  readonly api: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string;
    readonly checkoutUrl: string;
    readonly requestsPerSecond: number;
    readonly burst: number;
    readonly requestsPerSecondPerAddress: number;
    readonly trustedProxies: readonly string[];
  };
  readonly operations: { readonly host: string; readonly port: number };
  readonly database: { readonly url: string; readonly connections: number };
  /** Seals the AppKeys in the database. */
  readonly masterSecret: Uint8Array;
  readonly signer: { readonly socket: string; readonly client: string; readonly token: string } | null;
  readonly addressPoolSize: number;
  readonly webhooks: {
    readonly allowedPrivateRanges: readonly string[];
    readonly concurrency: number;
    readonly concurrencyPerReceiver: number;
  };
  readonly rates: { readonly source: 'none' | 'fixed-demo'; readonly maxAgeSeconds: number };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly chains: readonly ConfiguredChain[];
}

/**
 * `DATABASE_URL` and `DUCAT_MASTER_SECRET` win over the file. Paths in the file are relative to it.
 * Throws ConfigError naming the entry at fault.
 */
export function loadConfig(path: string, environment: Readonly<Record<string, string | undefined>>): Config {
  const file = parseConfig(path);
  const from = dirname(resolve(path));
  const demo = file.demo ?? false;
  const host = file.api?.host ?? '127.0.0.1';
  const port = file.api?.port ?? 8080;
  const publicUrl = file.api?.public_url ?? `http://${host}:${port}`;
  return Object.freeze({
    demo,
    roles: file.roles ?? roleNames,
    api: {
      host,
      port,
      publicUrl,
      checkoutUrl: file.api?.checkout_url ?? `${publicUrl}/pay`,
      requestsPerSecond: file.api?.requests_per_second ?? 50,
      burst: file.api?.burst ?? 200,
      requestsPerSecondPerAddress: file.api?.requests_per_second_per_address ?? 500,
      trustedProxies: file.api?.trusted_proxies ?? [],
    },
    operations: { host: file.operations?.host ?? '127.0.0.1', port: file.operations?.port ?? 9090 },
    database: { url: databaseUrl(file, environment), connections: file.database?.connections ?? 16 },
    masterSecret: masterSecret(file, from, environment, demo),
    signer: signer(file, from),
    addressPoolSize: file.addresses?.pool_size ?? 100,
    webhooks: {
      allowedPrivateRanges: file.webhooks?.allowed_private_ranges ?? [],
      concurrency: file.webhooks?.concurrency ?? 64,
      concurrencyPerReceiver: file.webhooks?.concurrency_per_receiver ?? 8,
    },
    rates: rates(file, demo),
    logLevel: file.log?.level ?? 'info',
    chains: configuredChains(file.chains ?? {}),
  });
}

function parseConfig(path: string): ConfigFile {
  const parsed = parseToml(path);
  const [first] = Value.Errors(configSchema, parsed);
  if (first !== undefined) {
    const entry = first.instancePath.replaceAll('/', '.').replace(/^\./, '') || 'the file';
    throw new ConfigError(`${path}: ${entry} ${first.message}${unknownEntries(first.params)}`);
  }
  // Checked against the schema one line above.
  return parsed as ConfigFile;
}

function parseToml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${path}: ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

/** Names the entries that the schema does not know, which is mostly a spelling mistake. */
function unknownEntries(params: object): string {
  return 'additionalProperties' in params ? `: ${String(params.additionalProperties)}` : '';
}

function databaseUrl(file: ConfigFile, environment: Readonly<Record<string, string | undefined>>): string {
  const url = environment.DATABASE_URL ?? file.database?.url;
  if (url === undefined) throw new ConfigError('database.url: is missing, and DATABASE_URL is not set');
  return url;
}

function masterSecret(
  file: ConfigFile,
  from: string,
  environment: Readonly<Record<string, string | undefined>>,
  demo: boolean,
): Uint8Array {
  const path = file.secrets?.master_secret_file;
  const text =
    environment.DUCAT_MASTER_SECRET ??
    (path === undefined ? undefined : readSecret('secrets.master_secret_file', resolve(from, path), demo));
  if (text === undefined) {
    throw new ConfigError('secrets.master_secret_file: is missing, and DUCAT_MASTER_SECRET is not set');
  }
  if (!/^[0-9a-fA-F]{64}$/.test(text) || new Set(text.toLowerCase()).size < 8) {
    throw new ConfigError(
      'secrets.master_secret_file: must hold 64 random hexadecimal digits (openssl rand -hex 32)',
    );
  }
  return Buffer.from(text, 'hex');
}

function signer(file: ConfigFile, from: string): Config['signer'] {
  if (file.signer === undefined) return null;
  const { socket, client, token_file } = file.signer;
  const token = readSecret('signer.token_file', resolve(from, token_file), file.demo ?? false);
  const path = socket.startsWith('\\\\') ? socket : resolve(from, socket);
  return { socket: path, client, token };
}

function rates(file: ConfigFile, demo: boolean): Config['rates'] {
  const source = file.rates?.source ?? 'none';
  if (source === 'fixed-demo' && !demo) {
    throw new ConfigError('rates.source: fixed-demo prices are made up and only for demo = true');
  }
  return { source, maxAgeSeconds: file.rates?.max_age_seconds ?? 60 };
}
