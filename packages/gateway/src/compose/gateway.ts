// The composition root: the only room that imports every other. It joins parts and decides nothing.
import { setMaxListeners } from 'node:events';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { ConfigError } from '../config/config-error.ts';
import type { LeftOut } from '../config/additions/with-additions.ts';
import type { Config } from '../config/load-config.ts';
import type { RoleName } from '../config/schema.ts';
import { configWarnings } from '../config/warnings.ts';
import { insertColdAddresses } from '../db/tables/books/cold-storage.ts';
import { migrate } from '../db/postgres/migrations/migrate.ts';
import {
  olderRunsText,
  readPendingMigrations,
  waitsText,
} from '../db/postgres/migrations/pending-migrations.ts';
import { DATABASE_AWAY, READINESS_WITHIN_MS, readReadiness } from '../db/reports/readiness.ts';
import type { PinnedCurrency } from '../db/tables/currencies.ts';
import { pauseChain } from '../flows/blocks/pause-chain.ts';
import { restoreAdditions } from '../flows/currencies/restore-additions.ts';
import { pinCurrencies } from '../flows/merchants/pin-currencies.ts';
import { findLockedApp } from '../keys/app-keys.ts';
import { serveOperations } from '../roles/operations/operations.ts';
import type { Log } from '../runtime/log.ts';
import { Outage } from '../runtime/outage.ts';
import { realWorld, unixTime, within } from '../runtime/world.ts';
import { keepWorker } from '../runtime/keep-worker.ts';
import { readStored, type Stored } from './additions/stored-additions.ts';
import { createParts, type Parts } from './parts.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { startChecks, startMaintenance } from './start-maintenance.ts';
import { startCollectors } from './start-collectors.ts';
import { type RunningDashboard, startDashboard } from './dashboard/start-dashboard.ts';
import { startMailer } from './mail/start-mailer.ts';
import { startNotifier } from './start-notifier.ts';
import { startPayers } from './start-payers.ts';
import { type RunningPages, startPages } from './start-pages.ts';
import { startWatchers } from './start-watchers.ts';

/** The backoff of a start while the database is away. Each retry also writes a log line. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** How long a stop may take before it checks whether the database answers. Longer than the API keeps a request. */
const STOP_LOOK_MS = 3_000;

export interface Gateway {
  /** Null where this process does not run the api role. */
  readonly apiUrl: string | null;
  /** Null where this process does not run the pages. */
  readonly pagesUrl: string | null;
  /** Null where this process does not run the dashboard. */
  readonly dashboardUrl: string | null;
  readonly operationsUrl: string;
  /** Resolves when something that every role needs has ended by itself, which is a bug. Workers are restarted instead. */
  readonly failed: Promise<unknown>;
  /** Lets running requests and attempts end, then closes everything. Does not wait for a database that does not answer. */
  stop(): Promise<void>;
}

// ~ tour 2/15: rooms are joined to their neighbours here, and nowhere else.
// → packages/gateway/src/roles/api/endpoints/create-order.ts
/** Joins the file with the additions of the dashboard, migrates the database and starts the configured roles. */
export async function startGateway(ofFile: Config, log: Log): Promise<Gateway> {
  const stored = await untilDatabaseServes({ world: realWorld, log }, () => readStored(ofFile));
  const { config, leftOut } = stored;
  noteLeftOut(log, leftOut);
  const parts = createParts(config, ofFile, log);
  const { database, world, metrics } = parts;
  const stopping = new AbortController();
  // Every role and every source of rates listens to this signal. Node reports more than ten listeners as a leak.
  setMaxListeners(0, stopping.signal);
  let api: RunningApi | null = null;
  let pages: RunningPages | null = null;
  let dashboard: RunningDashboard | null = null;
  let running: readonly Promise<void>[] = [];
  const stopWork = async () => {
    stopping.abort();
    await api?.close();
    await pages?.close();
    await dashboard?.close();
    await Promise.allSettled(running);
  };
  try {
    await untilDatabaseServes(parts, () => prepare(parts, stored));
    api = config.roles.includes('api') ? await startApi(parts) : null;
    pages = config.roles.includes('pages') ? await startPages(parts, stopping.signal) : null;
    dashboard = config.roles.includes('dashboard') ? await startDashboard(parts) : null;
    running = [...startRoles(parts, stopping.signal), ...(pages === null ? [] : [pages.ended])];
    const failed = firstFailure(running);
    const operations = await serveOperations({
      ...config.operations,
      reader: database.reader,
      answersCommits: database.answersCommits,
      metrics,
      world,
      roundMs: config.checks.roundMs,
      chains: parts.chains.map(({ definition }) => definition.name),
      isRunning: () => !stopping.signal.aborted,
    });
    return {
      apiUrl: api?.url ?? null,
      pagesUrl: pages?.url ?? null,
      dashboardUrl: dashboard?.url ?? null,
      operationsUrl: operations.url,
      failed,
      stop: () => {
        const stopped = stopWork()
          .then(() => operations.close())
          .then(() => database.close());
        return unlessDatabaseHangs(parts, stopped);
      },
    };
  } catch (error) {
    // A start that fails, such as at a port that is taken, must not leave roles running that cannot be stopped.
    await stopWork();
    await database.close();
    throw error;
  }
}

/** Waits until the work ends or the database does not answer. Nothing is lost: only what is committed has happened. */
async function unlessDatabaseHangs({ database, world, log }: Parts, work: Promise<void>): Promise<void> {
  const ended = work.then(() => true);
  while ((await within(world, STOP_LOOK_MS, ended)) === null) {
    const look = readReadiness(database, [], unixTime(world));
    const readiness = (await within(world, READINESS_WITHIN_MS, look)) ?? DATABASE_AWAY;
    if (readiness.database) continue;
    log.warn({}, 'the database does not answer and is not waited for; nothing is lost');
    return;
  }
}

/** Retries while the database is away. A wrong configuration or a wrong state of the database ends the start. */
async function untilDatabaseServes<T>(
  { world, log }: Pick<Parts, 'world' | 'log'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Outage) || !error.retryable) throw error;
      log.warn({ error, waitMs }, 'the start waits for the database');
    }
    await world.sleep(waitMs);
  }
}

/** Everything that has to be right before a role may work. Throws ConfigError. */
async function prepare(parts: Parts, { leftOut, unsettled }: Stored): Promise<void> {
  const { config, log, world, database, chains, rates } = parts;
  const { reader } = database;
  const { warning: madeUp } = rates.source;
  if (madeUp !== null && (config.roles.includes('api') || config.roles.includes('pages')))
    log.warn({ warning: madeUp }, 'weak configuration');
  for (const warning of configWarnings(config)) log.warn({ warning }, 'weak configuration');
  await notePending(parts);
  const applied = await migrate(database, world.nowMs());
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const locked = await findLockedApp({ masterSecret: config.masterSecret, reader });
  if (locked !== null) {
    throw new ConfigError(
      `secrets.master_secret_file: the AppKey of ${locked} was sealed under another master secret; bring that one back`,
    );
  }
  await pinConfigured(parts, leftOut);
  await database.transact((tx) => restoreAdditions(tx, unsettled));
  await database.transact(async (tx) => {
    for (const { definition, cold } of config.chains) await insertColdAddresses(tx, definition.name, cold);
  });
  for (const chain of chains) {
    for (const gap of chain.gaps()) log.warn({ chain: chain.definition.name, gap }, 'known gap');
  }
}

/** Logs pending migrations before they run: what older processes may do beside them, and which large tables have to wait. */
async function notePending({ log, database }: Parts): Promise<void> {
  const { isFirst, pending } = await readPendingMigrations(database.reader);
  if (isFirst) return;
  for (const migration of pending) {
    const fields = {
      migration: migration.name,
      olderProcesses: olderRunsText(migration),
      tables: waitsText(migration),
    };
    if (migration.olderRuns === 'no')
      log.warn(fields, 'a migration follows that no older process may run beside');
    else log.info(fields, 'a migration follows');
  }
}

/** Additions that the file has by now are left out on purpose, since the file wins. All others are missing: an error. */
function noteLeftOut(log: Log, leftOut: readonly LeftOut[]): void {
  for (const { name, reason, isInFile } of leftOut)
    if (isInFile) log.warn({ name, reason }, 'what was added on the dashboard is left out');
    else log.error({ name, reason }, 'what was added on the dashboard cannot be used and is left out');
}

/**
 * Throws ConfigError where the configuration cannot be run on these books. An addition that is left out and still needed
 * pauses its chain instead: blocks are read only once, so transfers of its currency would never be found.
 */
async function pinConfigured({ config, log, world, database, chains }: Parts, leftOut: readonly LeftOut[]) {
  const on = chains.flatMap(({ definition }) => pinnedCurrencies(definition));
  const off = config.chainsOff.flatMap(pinnedCurrencies);
  const isLeftOut = ({ chain, currencyId }: PinnedCurrency) =>
    leftOut.some((one) => one.chain === chain && (one.currencyId ?? currencyId) === currencyId);
  const troubles = await database.transact((tx) => pinCurrencies(tx, on, off, isLeftOut));
  const wrong = troubles.filter((trouble) => !trouble.isLeftOut).map(({ message }) => message);
  if (wrong.length > 0) throw new ConfigError(`chains: ${wrong.join('; ')}`);
  for (const { chain, message } of troubles) {
    log.error({ chain, message }, 'the chain waits: what was added to it on the dashboard is left out');
    await database.transact((tx) => pauseChain(tx, { chain, reason: message, nowMs: world.nowMs() }));
  }
}

function pinnedCurrencies({ name, currencies }: ChainDefinition): readonly PinnedCurrency[] {
  return currencies.map(({ currencyId, symbol, contract, decimals }) => ({
    currencyId,
    symbol,
    decimals,
    chain: name,
    contract: contract ?? '',
  }));
}

function startRoles(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const kept = (worker: string, run: () => Promise<void>) =>
    keepWorker({ ...parts, onBug: parts.metrics.onBug }, worker, signal, run);
  const { roles, mail } = parts.config;
  const starts: Readonly<Record<RoleName, () => readonly Promise<void>[]>> = {
    api: () => [],
    pages: () => [],
    dashboard: () => [],
    watcher: () => startWatchers(parts, signal),
    notifier: () => [
      kept('notifier', () => startNotifier(parts, signal)),
      ...(mail === null ? [] : [kept('mailer', () => startMailer(parts, mail, signal))]),
    ],
    maintenance: () => [
      kept('maintenance', () => startMaintenance(parts, signal)),
      kept('checks', () => startChecks(parts, signal)),
    ],
    payer: () => startPayers(parts, signal),
    collector: () => startCollectors(parts, signal),
  };
  const offering = roles.includes('api') || roles.includes('pages') ? offers(parts, signal) : [];
  const pricing = roles.some((role) => PRICING_ROLES.has(role)) ? [parts.rates.run(signal)] : [];
  return [...offering, ...pricing, ...roles.flatMap((role) => starts[role]())];
}

/** The roles that ask for current prices. */
const PRICING_ROLES: ReadonlySet<RoleName> = new Set([
  'api',
  'pages',
  'dashboard',
  'maintenance',
  'collector',
]);

/** Keeps up to date which currencies are on, for every role that offers currencies. */
function offers(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  return [...parts.chains.map((chain) => parts.currencies.run(chain, signal)), parts.suspensions.run(signal)];
}

/** Resolves with the error of the first role that fails; roles that are stopped do not count. */
function firstFailure(roles: readonly Promise<unknown>[]): Promise<unknown> {
  return new Promise((resolve) => {
    for (const role of roles) role.catch(resolve);
  });
}
