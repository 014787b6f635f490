// The whole gateway in a system test: real dev chains, a real database, the API over HTTP, real webhooks.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { finalByCount } from '@ducat/core/chain/chain';
import type { Config } from '@ducat/gateway/config/load-config';
import { defaultRoles } from '@ducat/gateway/config/schema';
import { type Gateway, startGateway } from '@ducat/gateway/compose/gateway';
import type { Log } from '@ducat/gateway/runtime/log';
import { readCursors } from '@ducat/gateway/db/tables/cursors';
import { type EventRecord, listEvents } from '@ducat/gateway/db/tables/deliveries/event-lists';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { type Books, createBooks } from './books.ts';
import { type DevChain, type EthOptions, startDevChains } from './dev-chains.ts';
import type { MinedChain } from './mined-chain.ts';
import { masterSecret, type NewShop, openShop } from './open-shop.ts';
import type { Shop } from './shop.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** The gateway on chains of one kind. */
export interface SystemOn<Chain extends MinedChain> {
  readonly database: TestDatabase;
  readonly books: Books;
  readonly receiver: WebhookReceiver;
  /** What the gateway logged as errors since the start. */
  readonly errors: readonly string[];
  apiUrl(): string;
  operationsUrl(): string;
  /** "" where this gateway has no dashboard. */
  dashboardUrl(): string;
  /** The URL of a payment page, up to the trade_no. */
  pagesUrl(): string;
  /** A new merchant with one app, whose webhooks go to the receiver. */
  newShop(options?: NewShop): Promise<Shop>;
  /** Mines blocks and, while the gateway runs, waits until it has read them. */
  mine(chain: Chain, count?: number): Promise<void>;
  /** Mines until the newest block is final. */
  makeFinal(chain: Chain): Promise<void>;
  /** Waits until the gateway has read the chain's newest block. */
  caughtUp(chain: Chain): Promise<void>;
  /** The events written about an order, oldest first. */
  events(tradeNo: string): Promise<readonly EventRecord[]>;
  /** Moves the next attempts of waiting webhooks to now; returns the seconds each of them would have waited. */
  hurryWebhooks(tradeNo: string): Promise<readonly number[]>;
  stop(): Promise<void>;
  /** Starts the gateway. Waits until it offers the currencies of its chains, and `beside` further ones. */
  start(beside?: number): Promise<void>;
  /** Starts a second gateway beside the first, on the same database; the caller stops it. */
  startAnother(): Promise<Gateway>;
  /** Stops everything and drops the database. */
  close(): Promise<void>;
}

/** The gateway on two EVM chains. */
export interface System extends SystemOn<DevChain> {
  readonly eth: DevChain;
  readonly bsc: DevChain;
}

/** What a test may choose. */
export interface SystemOptions {
  readonly apiPort?: number;
  /** Browsers name the port in each call, so it must be known before the start. Any port where no browser calls. */
  readonly dashboardPort?: number;
  /** Public keys by name. A key that a test adds later counts at once. */
  readonly approvers?: Config['approvers'];
  /** Without a signer nothing is signed. */
  readonly signer?: Config['signer'];
  /** All but the dashboard unless given. */
  readonly roles?: Config['roles'];
  /** The fixed rates of the demo unless given. */
  readonly rates?: Config['rates'];
  /** Rounds of an hour unless given. */
  readonly checks?: Config['checks'];
}

/** Starts the whole system; `adminUrl` is what vitest's inject('postgresAdminUrl') gives. */
export async function startSystem(
  adminUrl: string,
  { eth: ethOptions, ...options }: SystemOptions & { readonly eth?: EthOptions } = {},
): Promise<System> {
  const { eth, bsc } = await startDevChains(ethOptions);
  const system = await startSystemOn(adminUrl, [eth, bsc], options);
  return { ...system, eth, bsc };
}

/** Starts database, receiver and gateway on chains that run already and are stopped with the rest. */
export async function startSystemOn<Chain extends MinedChain>(
  adminUrl: string,
  chains: readonly Chain[],
  options: SystemOptions = {},
): Promise<SystemOn<Chain>> {
  const [database, receiver] = await Promise.all([openTestDatabase(adminUrl, 4), startWebhookReceiver()]);
  const errors: string[] = [];
  const config = { ...configOf(database.url, chains, options), signer: options.signer ?? null };
  let gateway: Gateway | null = null;
  const apiUrl = () => gateway?.apiUrl ?? '';
  const caughtUp = (chain: Chain) => waitForHead(database, chain);
  const system: SystemOn<Chain> = {
    database,
    receiver,
    errors,
    apiUrl,
    operationsUrl: () => gateway?.operationsUrl ?? '',
    dashboardUrl: () => gateway?.dashboardUrl ?? '',
    pagesUrl: () => `${gateway?.pagesUrl ?? ''}/pay`,
    caughtUp,
    books: createBooks(database.reader, chains),
    newShop: (shop) => openShop(database, { receiver, apiUrl }, shop),
    mine: async (chain, count = 1) => {
      await chain.mine(count);
      if (gateway !== null) await caughtUp(chain);
    },
    makeFinal: async (chain) => {
      await system.mine(chain, chain.configured.definition.confirmations - 1);
      if (gateway !== null) await waitForFinal(database, chain);
    },
    events: async (tradeNo) => (await listEvents(database.reader, { tradeNo, limit: 100 })).toReversed(),
    hurryWebhooks: (tradeNo) => hurryWebhooks(database, tradeNo),
    stop: async () => {
      await gateway?.stop();
      gateway = null;
    },
    startAnother: async () => {
      const started = await startGateway(config, collectingLog(errors));
      void started.failed.then((error) => errors.push(`a role failed: ${String(error)}`));
      return started;
    },
    start: async (beside = 0) => {
      gateway = await system.startAnother();
      await Promise.all(chains.map(caughtUp));
      await waitForTokens(await openShop(database, { receiver, apiUrl }), chains, beside);
    },
    close: async () => {
      await system.stop();
      await Promise.all([...chains.map((chain) => chain.stop()), receiver.stop()]);
      await database.drop();
    },
  };
  try {
    await system.start();
  } catch (error) {
    await system.close();
    throw error;
  }
  return system;
}

/** No person signs up here. */
const SIGN_UP_TERMS: Config['dashboard']['signUpTerms'] = {
  mostADay: 50,
  isSuspended: true,
  limits: { payoutMaxValue: 0n, payoutMaxDayValue: 0n, maxOpenOrders: 20 },
};

function configOf(
  url: string,
  chains: readonly MinedChain[],
  {
    apiPort = 0,
    dashboardPort = 0,
    approvers = new Map(),
    roles = defaultRoles,
    rates = { source: 'fixed-demo', maxAgeSeconds: 60 },
    checks = { roundMs: 3_600_000, callsPerMinute: 6_000 },
  }: SystemOptions,
): Config {
  const publicUrl = `http://127.0.0.1:${apiPort}`;
  return {
    demo: true,
    roles,
    api: {
      host: '127.0.0.1',
      port: apiPort,
      publicUrl,
      checkoutUrl: `${publicUrl}/pay`,
      requestsPerSecond: 500,
      burst: 1_000,
      requestsPerSecondPerAddress: 5_000,
      maxConnections: 2_000,
      maxConnectionsPerAddress: 256,
      trustedProxies: [],
    },
    pages: {
      host: '127.0.0.1',
      port: 0,
      faucetUrl: null,
      maxConnections: 2_000,
      maxConnectionsPerAddress: 256,
    },
    dashboard: {
      host: '127.0.0.1',
      port: dashboardPort,
      url: dashboardPort === 0 ? 'http://127.0.0.1' : `http://127.0.0.1:${dashboardPort}`,
      signUp: 'invited',
      signUpTerms: SIGN_UP_TERMS,
      privateNodes: ['127.0.0.0/8'],
    },
    operations: { host: '127.0.0.1', port: 0 },
    backups: { backupMs: 93_600_000, restoreMs: 7_948_800_000, archiveMs: 3_600_000 },
    database: { url, connections: 8, promotesOnlySynced: false },
    masterSecret,
    mail: null,
    signer: null,
    approvers,
    addressPoolSize: 10,
    checks,
    retention: { deliveriesAfterDays: 90, quoteEvidenceAfterDays: 90, apiCallsAfterDays: 14 },
    webhooks: { allowedPrivateRanges: ['127.0.0.0/8'], concurrency: 32, concurrencyPerReceiver: 8 },
    rates,
    logLevel: 'error',
    chains: chains.map(({ configured }) => configured),
    chainsOff: [],
  };
}

function collectingLog(errors: string[]): Log {
  const ignore = () => undefined;
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (fields, message) => void errors.push(`${message} ${describe(fields)}`),
  };
}

function describe(fields: object): string {
  return JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.stack : value));
}

/** Compares the hash of the cursor's head, because a reorganised chain may have the same height. */
async function waitForHead({ reader }: TestDatabase, chain: MinedChain): Promise<void> {
  const { number, hash } = await chain.head();
  await waitUntil(`the gateway to read ${chain.name} up to block ${number}`, async () => {
    const cursor = (await readCursors(reader)).get(chain.name);
    return cursor?.head?.hash === hash;
  });
}

/** Waits, because a block is settled in a later transaction than the one that accepted the blocks above it. */
async function waitForFinal({ reader }: TestDatabase, chain: MinedChain): Promise<void> {
  const final = finalByCount(chain.configured.definition, (await chain.head()).number);
  await waitUntil(`block ${final} of ${chain.name} to be final`, async () => {
    const cursor = (await readCursors(reader)).get(chain.name);
    return (cursor?.finalNumber ?? -1) >= final;
  });
}

/** Waits, because tokens are on only once the chain has confirmed their contracts. */
async function waitForTokens(shop: Shop, chains: readonly MinedChain[], beside: number): Promise<void> {
  const wanted = chains.reduce((sum, { offered }) => sum + offered, beside);
  await waitUntil(
    'the tokens to be checked',
    async () => (await shop.call('token-list', {})).length === wanted,
  );
}

async function hurryWebhooks({ transact }: TestDatabase, tradeNo: string): Promise<readonly number[]> {
  const nowMs = Date.now();
  const rows = await transact((tx) =>
    tx.write<{ wait: number }>(
      `UPDATE events SET next_attempt_at_ms = $2::bigint FROM (
         SELECT event_id, next_attempt_at_ms - (SELECT max(started_at_ms + duration_ms) FROM delivery_attempts a
           WHERE a.event_id = e.event_id) AS wait
         FROM events e WHERE trade_no = $1 AND state = 'pending' AND leased_until_ms IS NULL FOR UPDATE
       ) AS waiting
       WHERE events.event_id = waiting.event_id RETURNING wait`,
      [tradeNo, nowMs],
    ),
  );
  // Rounded, because an attempt is claimed a little before it starts, and its duration counts from the start.
  return rows.map(({ wait }) => Math.round(wait / 1000));
}
