// The composition root: the only file that sees every room. It joins parts and decides nothing.
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { fiatNames } from '@ducat/contract/fiat-names';
import { type ChainDefinition, wireChainId } from '@ducat/core/chain/chain';
import { rateAssetOf } from '@ducat/core/chain/currency';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { createAppKeys, type AppKeys, findLockedApp } from './app-keys.ts';
import { addressSchemes } from './chains/address-schemes.ts';
import { families } from './chains/families.ts';
import type { ChainPort } from './chains/port.ts';
import { ConfigError } from './config/config-error.ts';
import type { Config } from './config/load-config.ts';
import { configWarnings } from './config/warnings.ts';
import type { RoleName } from './config/schema.ts';
import { createCurrencyCheck, type CurrencyCheck } from './currency-check.ts';
import { ID_RANDOM_BYTES, newEventId } from './ids.ts';
import type { Log } from './log.ts';
import { pinCurrencies } from './flows/pin-currencies.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { Outage } from './outage.ts';
import { openRates, type Rates } from './rates/open-rates.ts';
import { defaultApiLimits } from './roles/api/api-deps.ts';
import { createApiApp } from './roles/api/app.ts';
import { createCatalogue, type ServedChain } from './roles/api/catalogue.ts';
import { runBookKeeper } from './roles/clerk/book-keeper.ts';
import { runClerk } from './roles/clerk/clerk.ts';
import { createPaymentEventEncoder } from './roles/notifier/encode-payment-event.ts';
import { runNotifier } from './roles/notifier/notifier.ts';
import { defaultNotifierLimits } from './roles/notifier/parts.ts';
import { createPoster } from './roles/notifier/post.ts';
import { createResolveHost } from './roles/notifier/resolve-host.ts';
import { isAllowed, isGloballyRoutable, parseAllowList } from './roles/notifier/routable-address.ts';
import { serveOperations } from './roles/operations/operations.ts';
import { runWatcher } from './roles/watcher/watcher.ts';
import type { PinnedCurrency } from './store/currencies.ts';
import { migrate } from './store/migrate.ts';
import { type Database, openDatabase } from './store/tx.ts';
import { underLease } from './under-lease.ts';
import { realWorld, type World } from './world.ts';

/** How often the books are compared with the chains. */
const CHECK_BOOKS_EVERY_MS = 10 * 60_000;
/** Pauses of a start while the database is away, and so how often its log says so. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Under which one of all clerks does so: nodes are asked for the balance of every address. */
const BOOKS_LEASE = 'books';

export interface Gateway {
  /** Null where this process does not run the api role. */
  readonly apiUrl: string | null;
  readonly operationsUrl: string;
  /** Resolves when a role has ended by itself, which only a bug makes it do. */
  readonly failed: Promise<unknown>;
  /** Lets running requests and attempts end, then closes everything. */
  stop(): Promise<void>;
}

/** What every role is built from. */
interface Parts {
  readonly config: Config;
  readonly log: Log;
  readonly world: World;
  readonly database: Database;
  readonly metrics: Metrics;
  readonly chains: readonly ChainPort[];
  readonly currencies: CurrencyCheck;
  readonly rates: Rates;
  readonly appKeys: AppKeys;
  readonly encode: ReturnType<typeof createPaymentEventEncoder>;
  readonly newEventId: () => string;
  /** How this process is called where it holds a lease: the machine, and chance, since one may run several. */
  readonly holder: string;
}

// ~ tour 2/12: rooms are joined to their neighbours here, and nowhere else.
// → packages/gateway/src/roles/api/endpoints/create-order.ts
/** Brings the schema up to date and starts the configured roles. */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const parts = createParts(config, log);
  const { database, world, metrics } = parts;
  const stopping = new AbortController();
  // Every role and every source of prices waits with it; Node would take more than ten for a leak.
  setMaxListeners(0, stopping.signal);
  let api: RunningApi | null = null;
  let running: readonly Promise<void>[] = [];
  const stopWork = async () => {
    stopping.abort();
    await api?.close();
    await Promise.allSettled(running);
  };
  try {
    await untilDatabaseServes(parts, () => prepare(parts));
    api = config.roles.includes('api') ? await startApi(parts) : null;
    running = startRoles(parts, stopping.signal);
    const failed = firstFailure(running);
    const operations = await serveOperations({
      ...config.operations,
      reader: database.reader,
      answersCommits: database.answersCommits,
      metrics,
      world,
      chains: parts.chains.map(({ definition }) => definition.name),
      isRunning: () => !stopping.signal.aborted,
    });
    return {
      apiUrl: api?.url ?? null,
      operationsUrl: operations.url,
      failed,
      stop: async () => {
        await stopWork();
        await operations.close();
        await database.close();
      },
    };
  } catch (error) {
    // A port that is taken must not leave roles at work that nobody could stop.
    await stopWork();
    await database.close();
    throw error;
  }
}

/** A database that is away is waited for; what a wrong configuration or a wrong state of the database does, ends. */
async function untilDatabaseServes({ world, log }: Parts, work: () => Promise<void>): Promise<void> {
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
async function prepare({ config, log, world, database, chains, rates }: Parts): Promise<void> {
  const { reader } = database;
  const { warning: madeUp } = rates.source;
  if (madeUp !== null && config.roles.includes('api')) log.warn({ warning: madeUp }, 'weak configuration');
  for (const warning of configWarnings(config)) log.warn({ warning }, 'weak configuration');
  const applied = await migrate(database, world.nowMs());
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const locked = await findLockedApp({ masterSecret: config.masterSecret, reader });
  if (locked !== null) {
    throw new ConfigError(
      `secrets.master_secret_file: the AppKey of ${locked} was sealed under another master secret; bring that one back`,
    );
  }
  const on = chains.flatMap(({ definition }) => pinnedCurrencies(definition));
  const off = config.chainsOff.flatMap(pinnedCurrencies);
  const troubles = await database.transact((tx) => pinCurrencies(tx, on, off));
  if (troubles.length > 0) throw new ConfigError(`chains: ${troubles.join('; ')}`);
  for (const chain of chains) {
    for (const gap of chain.gaps()) log.warn({ chain: chain.definition.name, gap }, 'known gap');
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

function createParts(config: Config, log: Log): Parts {
  const world = realWorld;
  const metrics = createMetrics();
  const database = openDatabase(
    config.database.url,
    config.database.connections,
    ({ level, fields, message }) => log[level](fields, message),
    { sleep: (ms, signal) => world.sleep(ms, signal) },
  );
  const chains = config.chains.map(({ definition, nodes }) =>
    families[definition.family].createChain({
      definition,
      ...nodes,
      world,
      observer: metrics.rpc(definition.name),
    }),
  );
  metrics.watchGaps(chains);
  // Orders of a chain that was switched off can still be shown, and what was written for them is still sent.
  const definitions = [...chains.map(({ definition }) => definition), ...config.chainsOff];
  const known = definitions.flatMap((chain) =>
    chain.currencies.map(
      ({ currencyId, decimals }) => [currencyId, { decimals, chainId: wireChainId(chain) }] as const,
    ),
  );
  return {
    config,
    log,
    world,
    database,
    metrics,
    chains,
    currencies: createCurrencyCheck(chains, world, log),
    rates: openRates(config.rates, {
      coins: chains.flatMap(({ definition }) =>
        definition.currencies
          .filter(({ enabled }) => enabled)
          .flatMap((currency) => rateAssetOf(currency) ?? []),
      ),
      fiats: fiatNames,
      world,
      log,
      observer: metrics.rates,
    }),
    appKeys: createAppKeys({ masterSecret: config.masterSecret, reader: database.reader, world }),
    encode: createPaymentEventEncoder(new Map(known)),
    newEventId: () => newEventId(world.random(ID_RANDOM_BYTES)),
    holder: `${hostname()}/${Buffer.from(world.random(4)).toString('hex')}`,
  };
}

function startRoles(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const starts: Readonly<Record<RoleName, () => readonly Promise<void>[]>> = {
    api: () => [...parts.chains.map((chain) => parts.currencies.run(chain, signal)), parts.rates.run(signal)],
    watcher: () => startWatchers(parts, signal),
    notifier: () => [startNotifier(parts, signal)],
    clerk: () => [startClerk(parts, signal), startBookKeeper(parts, signal)],
  };
  return parts.config.roles.flatMap((role) => starts[role]());
}

function startWatchers(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const { config, database, world, encode, log, metrics } = parts;
  return parts.chains.map((chain, place) =>
    runWatcher(
      {
        chain,
        startBlock: config.chains[place]?.startBlock ?? null,
        transact: database.transact,
        reader: database.reader,
        world,
        encode,
        newEventId: parts.newEventId,
        holder: parts.holder,
        log,
        observer: metrics.watcher,
      },
      signal,
      database.apart,
    ),
  );
}

async function startNotifier(
  { config, database, world, appKeys, log, metrics }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const allowed = parseAllowList(config.webhooks.allowedPrivateRanges);
  const poster = createPoster({ resolve: createResolveHost(world), allowed });
  const limits = {
    ...defaultNotifierLimits,
    maxUnderWay: config.webhooks.concurrency ?? defaultNotifierLimits.maxUnderWay,
    maxPerReceiver: config.webhooks.concurrencyPerReceiver ?? defaultNotifierLimits.maxPerReceiver,
  };
  const observer = {
    onAttempt: (report: { readonly outcome: string; readonly durationMs: number }) => {
      metrics.onWebhook(report);
      log.info({ flow: 'record-delivery', ...report }, 'webhook attempt');
    },
    onDied: (events: number) => log.warn({ events }, 'webhooks died without a recorded last attempt'),
    onTrouble: (where: string, error: unknown) => log.warn({ where, error }, 'the notifier met an outage'),
  };
  try {
    await runNotifier(
      { transact: database.queues.transact, world, post: poster.post, keys: appKeys, observer, limits },
      signal,
    );
  } finally {
    poster.close();
  }
}

function startClerk(parts: Parts, signal: AbortSignal): Promise<void> {
  const { config, database, world, chains, encode, log, metrics } = parts;
  const clerk = {
    chains,
    schemes: addressSchemes,
    poolSize: config.addressPoolSize,
    reuseAfterDays: new Map(
      config.chains.flatMap(({ definition, reuseAddressesAfterDays: days }) =>
        days === null ? [] : [[definition.name, days] as const],
      ),
    ),
    transact: database.transact,
    reader: database.reader,
    world,
    encode,
    newEventId: parts.newEventId,
    log,
    onBug: metrics.onBug,
  };
  return runClerk(clerk, signal);
}

function startBookKeeper(
  { chains, database, world, log, metrics, holder }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { reader } = database;
  const { onBookCheck } = metrics;
  const keeper = { chains, reader, world, log, everyMs: CHECK_BOOKS_EVERY_MS, onBookCheck };
  const onLease = (_: string, held: boolean) => metrics.onBookLease(held);
  const lease = { name: BOOKS_LEASE, holder, ...database.apart, world, log, onLease };
  // It only reads, so two at once after a take-over do no harm and the token is not asked for.
  return underLease(lease, signal, (_, held) => runBookKeeper(keeper, held));
}

interface RunningApi {
  readonly url: string;
  close(): Promise<void>;
}

async function startApi(parts: Parts): Promise<RunningApi> {
  const { config, database, world, chains, currencies, appKeys, log, metrics } = parts;
  const allowed = parseAllowList(config.webhooks.allowedPrivateRanges);
  const app = createApiApp({
    reader: database.reader,
    transact: database.transact,
    answersCommits: database.answersCommits,
    world,
    catalogue: createCatalogue(servedChains(chains, config.chainsOff, currencies)),
    rates: parts.rates.source,
    addressSchemes,
    appKeys,
    limits: {
      ...defaultApiLimits,
      perApp: { perSecond: config.api.requestsPerSecond, burst: config.api.burst },
      perAddress: {
        perSecond: config.api.requestsPerSecondPerAddress,
        burst: 4 * config.api.requestsPerSecondPerAddress,
      },
      trustedProxies: config.api.trustedProxies,
    },
    logger: log,
    observer: metrics.api,
    publicUrl: config.api.publicUrl,
    checkoutUrl: config.api.checkoutUrl,
    isCallableAddress: (address) => isGloballyRoutable(address) || isAllowed(address, allowed),
    onBug: metrics.onBug,
  });
  try {
    await app.listen({ host: config.api.host, port: config.api.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${config.api.host}:${port}`, close: () => app.close() };
}

/** Chains that are switched off, or known and not configured, are served as off: their currencies are refused by name. */
function servedChains(
  chains: readonly ChainPort[],
  chainsOff: readonly ChainDefinition[],
  currencies: CurrencyCheck,
): readonly ServedChain[] {
  const on = chains.map(({ definition }) => ({ definition, on: true, isCurrencyOn: currencies.isOn }));
  const configured = new Set(
    [...on.map(({ definition }) => definition), ...chainsOff].map(({ name }) => name),
  );
  const unconfigured = chainDefinitions.filter(({ name }) => !configured.has(name));
  const off = [...chainsOff, ...unconfigured].map((definition) => ({
    definition,
    on: false,
    isCurrencyOn: () => false,
  }));
  return [...on, ...off];
}

/** Resolves with the reason of the first role that ends by a failure; roles that are stopped do not count. */
function firstFailure(roles: readonly Promise<unknown>[]): Promise<unknown> {
  return new Promise((resolve) => {
    for (const role of roles) role.catch(resolve);
  });
}
