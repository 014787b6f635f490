// The API on a real database, with one merchant and a payment app, and signed calls whose answers are verified.
import { createHmac } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import type { FastifyInstance } from 'fastify';
import { type AppKeys, createAppKeys } from '@ducat/gateway/keys/app-keys';
import { createOneTimeCodes } from '@ducat/gateway/keys/one-time-codes';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { createApp } from '@ducat/gateway/flows/merchants/create-app';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { storeAccountKey } from '@ducat/gateway/flows/addresses/store-account-key';
import { createFixedRates } from '@ducat/gateway/rates/fixed';
import type { AppKind } from '@ducat/gateway/db/tables/apps';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { type ApiDeps, defaultApiLimits } from '@ducat/gateway/roles/api/api-deps';
import { createApiApp } from '@ducat/gateway/roles/api/app';
import { type Catalogue, createCatalogue } from '@ducat/gateway/roles/api/catalogue';
import { createTestWorld, type TestWorld } from './test-world.ts';

export const NOW = 1_763_626_800;
/** What the secrets of the test apps are sealed under. */
export const masterSecret = Buffer.alloc(32, 7);

export interface TestApp {
  readonly appId: string;
  readonly appKey: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly raw: string;
  readonly code: number;
  readonly msg: string;
  // The fields differ from operation to operation; tests look at them one by one.
  readonly data: Record<string, unknown>;
}

export interface TestApi {
  readonly app: FastifyInstance;
  readonly deps: ApiDeps;
  readonly database: TestDatabase;
  readonly world: TestWorld;
  readonly appKeys: AppKeys;
  readonly logs: object[];
  readonly bugs: Error[];
  readonly payment: TestApp;
  /** Sends a signed request. A body that is no string or Buffer is sent as JSON. */
  call(path: string, body: unknown, as?: TestApp): Promise<Answered>;
  send(path: string, body: string | Buffer, headers: Readonly<Record<string, string>>): Promise<Answered>;
  addApp(kind?: AppKind): Promise<TestApp>;
  close(): Promise<void>;
}

/** The headers of a signed request. */
export function signedHeaders(body: string | Buffer, { appId, appKey }: TestApp, at: number = NOW) {
  const timestamp = String(at);
  return {
    'content-type': 'application/json',
    'x-appid': appId,
    'x-timestamp': timestamp,
    'x-sign': signatureOf(body, timestamp, appKey),
  };
}

export function signatureOf(body: string | Buffer, timestamp: string, appKey: string): string {
  return createHmac('sha256', appKey)
    .update(body)
    .update(timestamp + appKey)
    .digest('hex');
}

/** Whether an answer carries the signature of this app over its very bytes. */
export function isSignedBy({ headers, raw }: Answered, { appId, appKey }: TestApp): boolean {
  const timestamp = String(headers['x-timestamp']);
  return headers['x-appid'] === appId && headers['x-sign'] === signatureOf(raw, timestamp, appKey);
}

/**
 * The chains ETH and BSC are on, with all of their currencies but 1002 and 1026. `change` replaces what a test needs.
 */
export async function startTestApi(adminUrl: string, change: Partial<ApiDeps> = {}): Promise<TestApi> {
  const database = await openTestDatabase(adminUrl, 10);
  const world = createTestWorld(NOW * 1000);
  const appKeys = createAppKeys({ masterSecret, reader: database.reader, world });
  const logs: object[] = [];
  const bugs: Error[] = [];
  const log = (fields: object) => void logs.push(fields);
  const deps: ApiDeps = {
    reader: database.reader,
    transact: database.transact,
    answersCommits: database.answersCommits,
    world,
    catalogue: testCatalogue(),
    rates: createFixedRates(world),
    addressSchemes,
    appKeys,
    oneTimeCodes: createOneTimeCodes({ masterSecret, world }),
    networkFees: new Map(),
    limits: defaultApiLimits,
    logger: { info: log, warn: log, error: log },
    observer: { answered: () => undefined, lostCallLines: () => undefined },
    publicUrl: 'https://api.test',
    docs: { folder: '', faucetUrl: '' },
    checkoutUrl: 'https://pay.test',
    isCallableAddress: (address) => !/^(127\.|10\.|192\.168\.|169\.254\.|::1$)/.test(address),
    onBug: (error) => void bugs.push(error),
    ...change,
  };
  await database.transact(async (tx) => {
    await createMerchant(tx, { merchantId: 'mer_1', name: 'Shop', depositFeePpm: 300, createdAtMs: 0 });
    for (const chain of ['ETH', 'BSC']) await tx.write(CURSOR, [chain, NOW - 5]);
  });
  const addApp = (kind: AppKind = 'PAYMENT') => insertTestApp(database, appKeys, kind);
  const app = createApiApp(deps);
  const payment = await addApp();
  const send = inject(app);
  return {
    app,
    deps,
    database,
    world,
    appKeys,
    logs,
    bugs,
    payment,
    send,
    addApp,
    call: (path, body, as = payment) => {
      const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      return send(path, bytes, signedHeaders(bytes, as, Math.floor(world.nowMs() / 1000)));
    },
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

function testCatalogue(): Catalogue {
  return createCatalogue(
    chainDefinitions.map((definition) => ({
      definition,
      on: ['ETH', 'BSC'].includes(definition.name),
      isCurrencyOn: (currencyId) => ![1002, 1026].includes(currencyId),
    })),
  );
}

const CURSOR = `INSERT INTO chain_cursors (chain, head_number, head_hash, head_time, final_number, final_time, updated_at_ms)
  VALUES ($1, 1000, '0xhead', $2::bigint, 990, $2::bigint - 120, 0)`;

let apps = 0;

async function insertTestApp(database: TestDatabase, appKeys: AppKeys, kind: AppKind): Promise<TestApp> {
  apps += 1;
  const appId = `app_test${apps}`;
  const { appKey, sealedKey } = appKeys.create(appId);
  const row = { merchantId: 'mer_1', name: 'Shop', kind, callbackUrl: null, tolerancePpm: 0, createdAtMs: 0 };
  await database.transact(async (tx) => {
    const created = await createApp(tx, { ...row, appId, sealedKey });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    const accountPublicKey = testAccountKey('evm', created.account);
    await storeAccountKey(tx, { appId, family: 'evm', accountPublicKey });
  });
  return { appId, appKey };
}

const seed = HDKey.fromMasterSeed(Buffer.alloc(64, 3));

/** The extended public key of an account, as the signer would answer it. */
export function testAccountKey(family: ChainFamily, account: number): string {
  return seed.derive(`m/44'/${family === 'tron' ? 195 : 60}'/${account}'`).publicExtendedKey;
}

function inject(app: FastifyInstance): TestApi['send'] {
  return async (path, body, headers) => {
    const response = await app.inject({ method: 'POST', url: path, payload: body, headers });
    const { code, msg, data } = JSON.parse(response.payload);
    return { status: response.statusCode, headers: response.headers, raw: response.payload, code, msg, data };
  };
}
