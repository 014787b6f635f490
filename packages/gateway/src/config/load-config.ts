// Reads ducat.toml and the environment once, checks everything, and freezes the result.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BackupLimits } from '@ducat/core/backup/freshness';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { parse } from 'smol-toml';
import Schema from 'typebox/schema';
import { hostUrls } from '../db/postgres/database-url.ts';
import { addressRanges } from './address-ranges.ts';
import {
  type ApiConfig,
  apiConfig,
  type DashboardConfig,
  dashboardConfig,
  type PagesConfig,
  pagesConfig,
} from './api.ts';
import { ConfigError } from './config-error.ts';
import { type ConfiguredChain, configuredChains } from './chains.ts';
import { type MailConfig, mailConfig } from './mail/mail-config.ts';
import { type RatesConfig, ratesConfig } from './rates.ts';
import { type RetentionConfig, retentionConfig } from './retention.ts';
import { type ConfigFile, configSchema, defaultRoles, type RoleName } from './schema.ts';
import { readSecret, requirePrivate } from './secret-file.ts';
import { type SignerConfig, signerConfig } from './signer.ts';

export interface Config {
  /** The local demo: weak secrets and made-up rates are allowed, and this is shown everywhere. */
  readonly demo: boolean;
  readonly roles: readonly RoleName[];
  readonly api: ApiConfig;
  /** Where the payment pages listen, and their limits of connections. */
  readonly pages: PagesConfig;
  readonly dashboard: DashboardConfig;
  readonly operations: { readonly host: string; readonly port: number };
  readonly database: {
    readonly url: string;
    readonly connections: number;
    /** Whether a failover never promotes a standby that lacks an acknowledged commit. */
    readonly promotesOnlySynced: boolean;
  };
  /** The master secret, under which AppKeys and other secrets are sealed in the database. */
  readonly masterSecret: Uint8Array;
  readonly signer: SignerConfig | null;
  /** Ed25519 public keys of the approvers, by name: 64 hex digits each. */
  readonly approvers: ReadonlyMap<string, string>;
  /** Null where no mail is sent. */
  readonly mail: MailConfig | null;
  readonly addressPoolSize: number;
  /** The time of a round over all used addresses, and how many requests to a chain it may take in a minute. */
  readonly checks: { readonly roundMs: number; readonly callsPerMinute: number };
  readonly backups: BackupLimits;
  readonly webhooks: {
    readonly allowedPrivateRanges: readonly string[];
    /** Undefined where the file states none: the notifier then has its own limits. */
    readonly concurrency: number | undefined;
    readonly concurrencyPerReceiver: number | undefined;
  };
  readonly retention: RetentionConfig;
  readonly rates: RatesConfig;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** The chains that are on. */
  readonly chains: readonly ConfiguredChain[];
  /** Chains whose section says `enabled = false`: what was booked is still shown, and nothing new is accepted. */
  readonly chainsOff: readonly ChainDefinition[];
}

/**
 * `DATABASE_URL` and `DUCAT_MASTER_SECRET` win over the file. Paths in the file are relative to it.
 * Throws ConfigError naming the entry at fault.
 */
export function loadConfig(path: string, environment: Readonly<Record<string, string | undefined>>): Config {
  const file = parseConfig(path);
  const from = dirname(resolve(path));
  const demo = file.demo ?? false;
  if (!demo && passwordOf(file.database?.url) !== '') requirePrivate('database.url', path);
  const chains = configuredChains(file.chains ?? {});
  return Object.freeze({
    demo,
    roles: file.roles ?? defaultRoles,
    api: apiConfig(file),
    pages: pagesConfig(file),
    dashboard: dashboardConfig(file),
    operations: { host: file.operations?.host ?? '127.0.0.1', port: file.operations?.port ?? 9090 },
    database: {
      url: databaseUrl(file, environment),
      connections: file.database?.connections ?? 16,
      promotesOnlySynced: file.database?.promotes_only_synced ?? false,
    },
    masterSecret: masterSecret(file, from, environment, demo),
    signer: signerConfig(file, from),
    approvers: new Map(Object.entries(file.approvers ?? {})),
    mail: mailConfig(file, from),
    addressPoolSize: file.addresses?.pool_size ?? 100,
    checks: {
      roundMs: (file.checks?.round_hours ?? 24) * 3_600_000,
      callsPerMinute: file.checks?.calls_per_minute ?? 120,
    },
    backups: backupLimits(file),
    webhooks: {
      allowedPrivateRanges: addressRanges(
        'webhooks.allowed_private_ranges',
        file.webhooks?.allowed_private_ranges ?? [],
        { addresses: false, wide: demo },
      ),
      concurrency: file.webhooks?.concurrency,
      concurrencyPerReceiver: file.webhooks?.concurrency_per_receiver,
    },
    retention: retentionConfig(file),
    rates: ratesConfig(file, from),
    logLevel: file.log?.level ?? 'info',
    chains: chains.filter(({ on }) => on),
    chainsOff: chains.filter(({ on }) => !on).map(({ definition }) => definition),
  });
}

/** Loads only the chains of a file; other entries may be missing. Throws ConfigError naming the entry at fault. */
export function loadChains(path: string): readonly ConfiguredChain[] {
  return configuredChains(parseConfig(path).chains ?? {});
}

function parseConfig(path: string): ConfigFile {
  const parsed = parseToml(path);
  const [, [first]] = Schema.Errors(configSchema, parsed);
  if (first !== undefined) {
    const entry = first.instancePath.replaceAll('/', '.').replace(/^\./, '') || 'the file';
    // An unknown entry fails with "schema is false", which does not help an operator.
    const trouble = first.keyword === 'boolean' ? 'is not an entry that Ducat knows' : first.message;
    throw new ConfigError(`${path}: ${entry} ${trouble}${namesIn(first.params)}`);
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

/** Lists the allowed values, or the unknown entries, which are mostly spelling mistakes. */
function namesIn(params: object): string {
  if ('allowedValues' in params) return `: ${[params.allowedValues].flat().join(', ')}`;
  return 'additionalProperties' in params ? `: ${String(params.additionalProperties)}` : '';
}

function databaseUrl(file: ConfigFile, environment: Readonly<Record<string, string | undefined>>): string {
  const entry = environment.DATABASE_URL === undefined ? 'database.url' : 'DATABASE_URL';
  const url = environment.DATABASE_URL ?? file.database?.url;
  if (url === undefined) throw new ConfigError('database.url: is missing, and DATABASE_URL is not set');
  const read = hostUrls(url);
  if (!read.ok) throw new ConfigError(`${entry}: ${read.trouble}`);
  if (file.demo !== true && passwordOf(url) === EXAMPLE_PASSWORD) {
    throw new ConfigError(`${entry}: still has the password of the example; put your own address there`);
  }
  return url;
}

/** A nightly backup may be two hours late. */
const BACKUP_HOURS = 26;
/** A restore is tried once a quarter. */
const RESTORE_DAYS = 92;
/** With `archive_timeout` a WAL file is archived about every minute. Without it a quiet gateway takes part of an hour. */
const ARCHIVE_MINUTES = 60;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How old backups, tried restores and the archive of the WAL may be before a person has to look. */
function backupLimits({ backups }: ConfigFile): BackupLimits {
  return {
    backupMs: (backups?.max_age_hours ?? BACKUP_HOURS) * HOUR_MS,
    restoreMs: (backups?.restore_max_age_days ?? RESTORE_DAYS) * 24 * HOUR_MS,
    archiveMs: (backups?.archive_max_age_minutes ?? ARCHIVE_MINUTES) * MINUTE_MS,
  };
}

const EXAMPLE_PASSWORD = 'password';

/** The password of a database URL; "" where there is none. A URL parser cannot read URLs with several hosts. */
function passwordOf(url = ''): string {
  return /^[^:]+:\/\/[^/?@]*?:([^/?]*)@/.exec(url)?.[1] ?? '';
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
    const entry =
      environment.DUCAT_MASTER_SECRET === undefined ? 'secrets.master_secret_file' : 'DUCAT_MASTER_SECRET';
    throw new ConfigError(`${entry}: must hold 64 random hexadecimal digits (openssl rand -hex 32)`);
  }
  return Buffer.from(text, 'hex');
}
