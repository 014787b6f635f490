// The composition root: the only file that sees every room. It joins parts and decides nothing.
import type { AddressInfo } from 'node:net';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { createAppKeys, type AppKeys } from './app-keys.ts';
import { families } from './chains/families.ts';
import type { AddressScheme, ChainPort } from './chains/port.ts';
import { ConfigError } from './config/config-error.ts';
import type { Config } from './config/load-config.ts';
import type { RoleName } from './config/schema.ts';
import { createCurrencyCheck, type CurrencyCheck } from './currency-check.ts';
import { ID_RANDOM_BYTES, newEventId } from './ids.ts';
import type { Log } from './log.ts';
import { pinCurrencies } from './flows/pin-currencies.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createCachedRates } from './rates/cached.ts';
import { createFixedRates } from './rates/fixed.ts';
import { createNoRates } from './rates/none.ts';
import type { RateSource } from './rates/port.ts';
import { defaultApiLimits } from './roles/api/api-deps.ts';
import { createApiApp } from './roles/api/app.ts';
import { createCatalogue, type ServedChain } from './roles/api/catalogue.ts';
import { runBookKeeper } from './roles/clerk/book-keeper.ts';
import { runClerk } from './roles/clerk/clerk.ts';
import { createPaymentEventEncoder } from './roles/notifier/encode-payment-event.ts';
import { runNotifier } from './roles/notifier/notifier.ts';
import { defaultNotifierLimits } from './roles/notifier/parts.ts';
import { createPoster } from './roles/notifier/post.ts';
import { resolveHost } from './roles/notifier/resolve-host.ts';
import { isAllowed, isGloballyRoutable, parseAllowList } from './roles/notifier/routable-address.ts';
import { serveOperations } from './roles/operations/operations.ts';
import { runWatcher } from './roles/watcher/watcher.ts';
import type { PinnedCurrency } from './store/currencies.ts';
import { migrate } from './store/migrate.ts';
import { type Database, openDatabase } from './store/tx.ts';
import { realWorld, type World } from './world.ts';

/** How often the books are compared with the chains. */
const CHECK_BOOKS_EVERY_MS = 10 * 60_000;

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
  readonly appKeys: AppKeys;
  readonly encode: ReturnType<typeof createPaymentEventEncoder>;
  readonly newEventId: () => string;
}

// ~ tour 2/12: rooms are joined to their neighbours here, and nowhere else.
// → packages/gateway/src/roles/api/endpoints/create-order.ts
/** Brings the schema up to date and starts the configured roles. */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const parts = createParts(config, log);
  const { database, world, metrics } = parts;
  const applied = await migrate(database, world.nowMs());
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const troubles = await database.transact((tx) => pinCurrencies(tx, parts.chains.flatMap(pinnedCurrencies)));
  if (troubles.length > 0) {
    await database.close();
    throw new ConfigError(`chains: ${troubles.join('; ')}`);
  }
  for (const chain of parts.chains) {
    for (const gap of chain.gaps()) log.warn({ chain: chain.definition.name, gap }, 'known gap');
  }
  const stopping = new AbortController();
  const api = config.roles.includes('api') ? await startApi(parts) : null;
  const running = startRoles(parts, stopping.signal);
  const operations = await serveOperations({
    ...config.operations,
    reader: database.reader,
    metrics,
    world,
    isRunning: () => !stopping.signal.aborted,
  });
  return {
    apiUrl: api?.url ?? null,
    operationsUrl: operations.url,
    failed: firstFailure(running),
    stop: async () => {
      stopping.abort();
      await api?.close();
      await Promise.allSettled(running);
      await operations.close();
      await database.close();
    },
  };
}

function pinnedCurrencies({ definition }: ChainPort): readonly PinnedCurrency[] {
  return definition.currencies.map(({ currencyId, symbol, contract, decimals }) => ({
    currencyId,
    symbol,
    decimals,
    chain: definition.name,
    contract: contract ?? '',
  }));
}

function createParts(config: Config, log: Log): Parts {
  const world = realWorld;
  const metrics = createMetrics();
  const database = openDatabase(config.database.url, config.database.connections);
  const chains = config.chains.map(({ definition, rpcUrls }) =>
    families[definition.family].createChain({
      definition,
      rpcUrls,
      world,
      observer: metrics.rpc(definition.name),
    }),
  );
  const known = chains.flatMap(({ definition }) =>
    definition.currencies.map(
      ({ currencyId, decimals }) => [currencyId, { decimals, chainId: definition.chainId }] as const,
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
    appKeys: createAppKeys({ masterSecret: config.masterSecret, reader: database.reader, world }),
    encode: createPaymentEventEncoder(new Map(known)),
    newEventId: () => newEventId(world.random(ID_RANDOM_BYTES)),
  };
}

function startRoles(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const starts: Readonly<Record<RoleName, () => readonly Promise<void>[]>> = {
    api: () => parts.chains.map((chain) => parts.currencies.run(chain, signal)),
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
        log,
        observer: metrics.watcher,
      },
      signal,
    ),
  );
}

async function startNotifier(
  { config, database, world, appKeys, log, metrics }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const allowed = parseAllowList(config.webhooks.allowedPrivateRanges);
  const poster = createPoster({ resolve: resolveHost, allowed });
  const limits = {
    ...defaultNotifierLimits,
    maxUnderWay: config.webhooks.concurrency,
    maxPerReceiver: config.webhooks.concurrencyPerReceiver,
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
      { transact: database.transact, world, post: poster.post, keys: appKeys, observer, limits },
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
    schemes: addressSchemes(),
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
  { chains, database, world, log, metrics }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { reader } = database;
  const { onBookCheck } = metrics;
  return runBookKeeper({ chains, reader, world, log, everyMs: CHECK_BOOKS_EVERY_MS, onBookCheck }, signal);
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
    world,
    catalogue: createCatalogue(servedChains(chains, currencies)),
    rates: createRates(config, world),
    addressSchemes: addressSchemes(),
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
  await app.listen({ host: config.api.host, port: config.api.port });
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${config.api.host}:${port}`, close: () => app.close() };
}

/** Chains that are known but not configured are listed as off, so that their currencies are refused by name. */
function servedChains(chains: readonly ChainPort[], currencies: CurrencyCheck): readonly ServedChain[] {
  const on = chains.map(({ definition }) => ({ definition, on: true, isCurrencyOn: currencies.isOn }));
  const off = chainDefinitions
    .filter(({ name }) => chains.every((chain) => chain.definition.name !== name))
    .map((definition) => ({ definition, on: false, isCurrencyOn: () => false }));
  return [...on, ...off];
}

function createRates(config: Config, world: World): RateSource {
  const sources: Readonly<Record<Config['rates']['source'], () => RateSource>> = {
    none: createNoRates,
    'fixed-demo': () => createFixedRates(world),
  };
  const source = sources[config.rates.source]();
  return createCachedRates(source, { maxAgeS: config.rates.maxAgeSeconds, keepMs: 1_000 }, world);
}

function addressSchemes(): { readonly [Family in keyof typeof families]: AddressScheme } {
  return { evm: families.evm.addressScheme };
}

/** Resolves with the reason of the first role that ends by a failure; roles that are stopped do not count. */
function firstFailure(roles: readonly Promise<unknown>[]): Promise<unknown> {
  return new Promise((resolve) => {
    for (const role of roles) role.catch(resolve);
  });
}
