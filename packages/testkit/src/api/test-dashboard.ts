// The dashboard over the database of a test API, with people of any rank who are signed in already.
import { text } from 'node:stream/consumers';
import type { DashboardOperation } from '@ducat/contract/dashboard/operation';
import { parseStrictJson } from '@ducat/contract/requests/strict-json';
import { checkFields } from '@ducat/contract/requests/validate';
import { dashboardOperations, type OperationName, type RequestOf } from '@ducat/contract/dashboard/registry';
import { sessionEndsAt, stepUpEndsAt } from '@ducat/core/access/session-life';
import type { MemberRole } from '@ducat/core/access/permissions';
import { insertCredentials } from '@ducat/gateway/db/tables/access/credentials';
import { insertSession } from '@ducat/gateway/db/tables/access/dashboard-sessions';
import { insertMember } from '@ducat/gateway/db/tables/access/memberships';
import { insertPerson } from '@ducat/gateway/db/tables/access/people';
import { raiseWalls } from '@ducat/gateway/db/tables/access/walls';
import type { Transact, Tx } from '@ducat/gateway/db/postgres/tx';
import { createPasskeys } from '@ducat/gateway/keys/passkeys';
import { createPasswords } from '@ducat/gateway/keys/passwords';
import { createMailSealing } from '@ducat/gateway/keys/mail-sealing';
import { hashOfToken, newToken } from '@ducat/gateway/keys/tokens';
import { createDashboard } from '@ducat/gateway/roles/dashboard/dashboard-app';
import { type DashboardDeps, defaultDashboardLimits } from '@ducat/gateway/roles/dashboard/port';
import { createEventIds, newPersonId, newSessionId } from '@ducat/gateway/runtime/ids';
import type { World } from '@ducat/gateway/runtime/world';
import type { FastifyInstance } from 'fastify';
import { createMerchantApi } from '@ducat/gateway/compose/dashboard/merchant-api';
import { plainEncode } from '../fixtures.ts';
import { masterSecret, testAccountKey, type TestApi } from './test-api.ts';

const DASHBOARD_URL = 'https://dashboard.test';
export const TEST_PASSWORD = 'correct horse battery';

export interface DashboardAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // The fields differ from operation to operation; tests look at them one by one.
  readonly body: Record<string, unknown>;
}

/** The request of an operation, in which a test may leave out the `request_id`. */
export type Asked<Name extends OperationName> =
  RequestOf<Name> extends { readonly request_id: string }
    ? Omit<RequestOf<Name>, 'request_id'> & { readonly request_id?: string }
    : RequestOf<Name>;

/** The browser of a person, with its cookies. */
export interface TestPerson {
  readonly personId: string;
  readonly email: string;
  readonly sessionId: string;
  /** Calls an operation. A `request_id` that the test leaves out is made up. */
  call<Name extends OperationName>(name: Name, request: Asked<Name>): Promise<DashboardAnswer>;
  /** Sends any body, valid or not. */
  send(name: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<DashboardAnswer>;
  /**
   * Opens the event stream of an operation, as a live page does, with any request, valid or not. Closes a stream that
   * begins.
   */
  watch(name: string, request: object): Promise<DashboardAnswer>;
}

export interface TestDashboard {
  readonly app: FastifyInstance;
  readonly deps: DashboardDeps;
  /** A browser in which nobody is signed in. */
  visitor(): TestPerson;
  /** A person with TEST_PASSWORD, signed in with a fresh second factor. */
  addPerson(who: {
    readonly role?: MemberRole;
    readonly merchantId?: string;
    readonly isOperator?: boolean;
  }): Promise<TestPerson>;
  close(): Promise<void>;
}

/** The lowest cost that scrypt accepts, because these tests are not about how slow the hash is. */
const TEST_COST = { N: 2, r: 1, p: 1 };

// The test's clock stands still, so a bucket would never fill again.
const many = { perSecond: 1, burst: 100_000 };
const WIDE: DashboardDeps['limits'] = {
  ...defaultDashboardLimits,
  perAddress: many,
  attempts: many,
  signUps: many,
  passwordLinks: many,
  exports: many,
};

export async function startTestDashboard(
  api: TestApi,
  change: Partial<DashboardDeps> = {},
): Promise<TestDashboard> {
  const { database, world } = api;
  const trouble = await raiseWalls(database.transact);
  if (trouble !== null) throw new Error(trouble);
  const deps: DashboardDeps = {
    ...api.deps,
    events: { encode: plainEncode, newEventId: createEventIds(world) },
    merchantApi: createMerchantApi(api.deps),
    approvers: new Map(),
    additions: noAdditions,
    lookAtStake: async () => null,
    askNonce: async () => null,
    accountPublicKey: async (family, account) => testAccountKey(family, account),
    passwords: createPasswords(world, TEST_COST),
    limits: WIDE,
    url: DASHBOARD_URL,
    signUp: 'invited',
    signUpTerms: {
      mostADay: 1_000,
      isSuspended: true,
      limits: { payoutMaxValue: 0n, payoutMaxDayValue: 0n, maxOpenOrders: 20 },
    },
    caughtMails: null,
    mails: createMailSealing({ masterSecret, world }),
    backupLimits: { backupMs: 26 * 3_600_000, restoreMs: 92 * 86_400_000, archiveMs: 3_600_000 },
    demo: false,
    faucetUrl: '',
    configuration: {
      sections: [{ section: 'api', entries: [{ entry: 'listens', value: '127.0.0.1:8080' }] }],
      warnings: ['chains.ETH.rpc_urls: one provider decides what is paid'],
    },
    filesFolder: '/nowhere',
    passkeys: createPasskeys(change.url ?? DASHBOARD_URL),
    ...change,
  };
  const app = createDashboard(deps);
  const passwordHash = await deps.passwords.hash(TEST_PASSWORD);
  let people = 0;
  return {
    app,
    deps,
    visitor: () => ({ personId: '', email: '', sessionId: '', ...browser(app, null) }),
    addPerson: async ({ role, merchantId = 'mer_1', isOperator = false }) => {
      const email = `person${++people}@example.test`;
      const who = { email, name: `Person ${people}`, isOperator, passwordHash };
      const { personId, sessionId, token } = await signIn(database.transact, world, who, async (tx, id) => {
        if (role !== undefined)
          await insertMember(tx, { merchantId, personId: id, role, sinceMs: world.nowMs() });
      });
      return { personId, email, sessionId, ...browser(app, token) };
    },
    close: () => app.close(),
  };
}

interface SignedIn {
  readonly personId: string;
  readonly sessionId: string;
  readonly token: string;
}

/** Inserts a person and a session with a fresh second factor into the tables. `more` runs in the same transaction. */
export async function signIn(
  transact: Transact,
  world: Pick<World, 'nowMs' | 'random'>,
  who: {
    readonly email: string;
    readonly name: string;
    readonly isOperator: boolean;
    readonly passwordHash: string;
  },
  more: (tx: Tx, personId: string) => Promise<void> = async () => undefined,
): Promise<SignedIn> {
  const [personId, sessionId, token] = [newPersonId(world), newSessionId(world), newToken(world)];
  const nowMs = world.nowMs();
  await transact(async (tx) => {
    await insertPerson(tx, { personId, ...who }, nowMs);
    await insertCredentials(tx, personId, who.passwordHash);
    await more(tx, personId);
    await insertSession(tx, {
      sessionId,
      tokenHash: hashOfToken(token),
      personId,
      stage: 'signed-in',
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      expiresAtMs: sessionEndsAt('signed-in', nowMs),
      stepUpUntilMs: stepUpEndsAt(nowMs),
      address: '192.0.2.1',
      userAgent: 'test',
    });
  });
  return { personId, sessionId, token };
}

/** Rejects. Tests about nodes replace it. */
const unasked = () => Promise.reject(new Error('this test asks no nodes'));
const noAdditions: DashboardDeps['additions'] = {
  checkChain: unasked,
  checkToken: unasked,
  list: async () => [],
  pinned: [],
  rateAssets: ['ETH', 'USDT'],
};

/** Throws where an answer has other fields than its schema. */
function assertFits({ name, response }: DashboardOperation, payload: string): void {
  const parsed = parseStrictJson(Buffer.from(payload), 10_000_000);
  const read = parsed.ok ? (checkFields(response, parsed.value) ?? parsed) : parsed;
  if (!read.ok) throw new Error(`the answer of ${name}: ${read.field} ${read.message}\n${payload}`);
}

/** Keeps the cookies that the server sets. */
function browser(app: FastifyInstance, token: string | null): Pick<TestPerson, 'call' | 'send' | 'watch'> {
  const cookies = new Map(token === null ? [] : [['__Host-ducat', token]]);
  const cookieText = () => [...cookies].map((pair) => pair.join('=')).join('; ');
  const send: TestPerson['send'] = async (name, body, headers = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: `/api/${name}`,
      payload: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        origin: DASHBOARD_URL,
        cookie: cookieText(),
        ...headers,
      },
    });
    for (const set of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const { statusCode: status, headers: answered, payload } = response;
    if (!String(answered['content-type']).startsWith('application/json'))
      return { status, headers: answered, body: { text: payload } };
    const operation = dashboardOperations.find((one) => one.name === name);
    if (status === 200 && operation !== undefined) assertFits(operation, payload);
    return { status, headers: answered, body: JSON.parse(payload) };
  };
  let clicks = 0;
  return {
    send,
    call: (name, request) => send(name, named(name, request, ++clicks)),
    watch: (name, request) => watch(app, cookieText(), name, request),
  };
}

/** Adds a `request_id` where the operation requires one and the test gave none. */
function named(name: string, request: object, click: number): object {
  const operation = dashboardOperations.find((one) => one.name === name);
  const fields: readonly string[] = operation?.request.required ?? [];
  const isNamed = !fields.includes('request_id') || 'request_id' in request;
  return isNamed ? request : { ...request, request_id: `click-${`${click}`.padStart(16, '0')}` };
}

async function watch(
  app: FastifyInstance,
  cookie: string,
  name: string,
  request: object,
): Promise<DashboardAnswer> {
  const response = await app.inject({
    method: 'GET',
    url: `/live/${name}?request=${encodeURIComponent(JSON.stringify(request))}`,
    headers: { cookie },
    payloadAsStream: true,
  });
  const { statusCode: status, headers } = response;
  const stream = response.stream();
  if (status === 200) {
    stream.destroy();
    return { status, headers, body: {} };
  }
  return { status, headers, body: JSON.parse(await text(stream)) };
}
