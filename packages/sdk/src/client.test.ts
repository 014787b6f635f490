// Tests of the client against a small signing gateway on loopback.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { codes } from '@ducat/contract/codes';
import { type EndpointName, endpoints } from '@ducat/contract/endpoints/registry';
import { readRequest } from '@ducat/contract/requests/read-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ConnectionError,
  Ducat,
  type DucatOptions,
  errorClasses,
  ResponseVerificationError,
  TimeoutError,
  TimestampError,
  TooFrequentError,
  type World,
} from './client.ts';
import { isSignedBy, sign } from './sign.ts';

const appId = 'app_TEST';
const appKey = 'key-äöü-0123456789';
const nowMs = 1_763_626_800_500;

interface Seen {
  readonly path: string;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
}
type Answer = (seen: Seen, response: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let seen: Seen[];
let answer: Answer;
let pauses: number[];

/** Answers with an envelope, signed unless `headers` say otherwise. */
function reply(
  response: ServerResponse,
  envelope: unknown,
  headers: Record<string, string> = {},
  status = 200,
) {
  const body = Buffer.from(JSON.stringify(envelope));
  const timestamp = headers['X-Timestamp'] ?? String(Math.floor(nowMs / 1000));
  const signature = sign(body, timestamp, appKey);
  response.writeHead(status, { 'X-Appid': appId, 'X-Timestamp': timestamp, 'X-Sign': signature, ...headers });
  response.end(body);
}

const world: World = { nowMs: () => nowMs, random: () => 0.5, sleep: async (ms) => void pauses.push(ms) };
const ok = (data: unknown) => ({ code: 0, msg: 'success', data });
const client = (options: Partial<DucatOptions> = {}) =>
  new Ducat({
    baseUrl,
    appId,
    appKey,
    world,
    ...options,
  });

beforeEach(async () => {
  seen = [];
  pauses = [];
  answer = (_seen, response) => reply(response, ok({}));
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url ?? '', body: Buffer.concat(chunks), headers: request.headers };
      seen.push(one);
      answer(one, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** One SDK method per endpoint: an endpoint of the contract without a method does not compile here. */
const methods: { [Name in EndpointName]: (ducat: Ducat) => Promise<unknown> } = {
  'create-order': (ducat) => ducat.orders.create(endpoints['create-order'].exampleRequest),
  'pre-create': (ducat) => ducat.orders.preCreate(endpoints['pre-create'].exampleRequest),
  'order-detail': (ducat) => ducat.orders.detail(endpoints['order-detail'].exampleRequest),
  'exchange-rates': (ducat) => ducat.orders.exchangeRates(endpoints['exchange-rates'].exampleRequest),
  'token-list': (ducat) => ducat.currencies.list(),
  'app-token-list': (ducat) => ducat.currencies.listForApp(),
  'create-payout': (ducat) => ducat.payouts.create(endpoints['create-payout'].exampleRequest),
  'payout-detail': (ducat) => ducat.payouts.detail(endpoints['payout-detail'].exampleRequest),
  'create-qr-code': (ducat) => ducat.qrCodes.create(endpoints['create-qr-code'].exampleRequest),
  'account-balance': (ducat) => ducat.account.balance(endpoints['account-balance'].exampleRequest),
};

describe.each(Object.values(endpoints))('the method of $name', (endpoint) => {
  it('sends a signed request that the contract accepts, and gives back the data', async () => {
    answer = (_seen, response) => reply(response, ok(endpoint.exampleData));
    expect(await methods[endpoint.name as EndpointName](client())).toEqual(endpoint.exampleData);
    const [request] = seen;
    expect(request?.path).toBe(endpoint.path);
    expect(readRequest(endpoint, false, request!.body)).toEqual({ ok: true, value: endpoint.exampleRequest });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers['x-appid']).toBe(appId);
    expect(request?.headers['x-timestamp']).toBe('1763626800');
    expect(isSignedBy(request!.body, '1763626800', appKey, String(request?.headers['x-sign']))).toBe(true);
  });
});

describe('answers', () => {
  it.each(codes.map((entry) => entry.code).filter((code) => code !== 0))(
    'with code %i throw its class',
    async (code) => {
      answer = (_seen, response) =>
        reply(response, { code, msg: 'name is wrong', data: {} }, { 'Retry-After': '7' });
      const error = await client()
        .account.balance(1)
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(errorClasses[code]);
      expect(error).toMatchObject({
        code,
        message: `name is wrong (code ${code})`,
        httpStatus: 200,
        retryAfterSeconds: 7,
        verified: true,
      });
      expect(seen).toHaveLength(1);
    },
  );

  it('carry no wait when the gateway names none', async () => {
    answer = (_seen, response) => reply(response, { code: 20009, msg: 'slow', data: {} });
    const error = await client()
      .currencies.list()
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TooFrequentError);
    expect(error).toMatchObject({ retryAfterSeconds: undefined });
  });

  it.each([
    [10006, errorClasses[10006]],
    [10007, TimestampError],
    [10008, errorClasses[10008]],
    [20009, TooFrequentError],
    // Codes that only a caller who proved the key can get are accepted only with a signature.
    [10002, ResponseVerificationError],
    [10003, ResponseVerificationError],
    [10004, ResponseVerificationError],
    [20003, ResponseVerificationError],
    [0, ResponseVerificationError],
  ] as const)('without signature and with code %i throw what they are worth', async (code, expected) => {
    answer = (_seen, response) => response.end(JSON.stringify({ code, msg: 'why', data: {} }));
    const error = await client()
      .currencies.list()
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(expected);
    expect(String(error)).toContain('not signed');
    if (expected !== ResponseVerificationError) expect(error).toMatchObject({ code, verified: false });
  });

  it.each<[string, Answer, RegExp]>([
    [
      'changed on the way',
      (_s, r) => {
        const body = Buffer.from(JSON.stringify(ok([])));
        r.writeHead(200, {
          'X-Appid': appId,
          'X-Timestamp': '1763626800',
          'X-Sign': sign(body, '1763626800', appKey),
        });
        r.end(JSON.stringify(ok([1])));
      },
      /does not fit/,
    ],
    [
      'signed with another key',
      (_s, r) => {
        const body = Buffer.from(JSON.stringify(ok([])));
        r.writeHead(200, {
          'X-Appid': appId,
          'X-Timestamp': '1763626800',
          'X-Sign': sign(body, '1763626800', 'other'),
        });
        r.end(body);
      },
      /does not fit/,
    ],
    ['without signature', (_s, r) => r.end(JSON.stringify(ok([]))), /not signed/],
    ['for another app', (_s, r) => reply(r, ok([]), { 'X-Appid': 'app_OTHER' }), /another app/],
    [
      'from over two minutes ago',
      (_s, r) => reply(r, ok([]), { 'X-Timestamp': '1763626679' }),
      /two minutes/,
    ],
    [
      'from over two minutes ahead',
      (_s, r) => reply(r, ok([]), { 'X-Timestamp': '1763626921' }),
      /two minutes/,
    ],
    ['without envelope', (_s, r) => reply(r, [1, 2]), /no envelope/],
    ['that redirect', (_s, r) => r.writeHead(307, { location: `${baseUrl}/elsewhere` }).end(), /not signed/],
  ])('%s are refused and not asked for again', async (_name, given, message) => {
    answer = given;
    const error = await client()
      .currencies.list()
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ResponseVerificationError);
    expect(String(error)).toMatch(message);
    expect(seen).toHaveLength(1);
  });

  it('to another request are refused although they are signed', async () => {
    answer = (_seen, response) => reply(response, ok(endpoints['order-detail'].exampleData));
    await expect(client().orders.detail('another')).rejects.toThrow(/another request/);
    answer = (_seen, response) => reply(response, ok(endpoints['account-balance'].exampleData));
    await expect(client().account.balance(4711)).rejects.toThrow(/another request/);
  });
});

describe('a network that fails', () => {
  it('is tried again with the same body until it works', async () => {
    answer = (_seen, response) => {
      if (seen.length < 3) response.destroy();
      else reply(response, ok(endpoints['create-order'].exampleData));
    };
    const order = await client().orders.create(endpoints['create-order'].exampleRequest);
    expect(order.trade_no).toBe(endpoints['create-order'].exampleData.trade_no);
    expect(new Set(seen.map((one) => one.body.toString())).size).toBe(1);
    expect(pauses).toEqual([200, 400]);
  });

  it('is given up after the stated number of tries', async () => {
    answer = (_seen, response) => void response.destroy();
    await expect(client({ maxRetries: 1 }).currencies.list()).rejects.toBeInstanceOf(ConnectionError);
    expect(seen).toHaveLength(2);
  });

  it('shows as a timeout when no answer comes', async () => {
    answer = () => undefined;
    const error = await client({ timeoutMs: 50, maxRetries: 0 })
      .currencies.list()
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(String(error)).toContain('within 50 ms');
  });

  it('counts an unsigned 502 of a proxy as a failure of the network', async () => {
    answer = (_seen, response) => {
      if (seen.length === 1) response.writeHead(502).end('<html>');
      else reply(response, ok([]));
    };
    expect(await client().currencies.list()).toEqual([]);
    expect(seen).toHaveLength(2);
  });
});

describe('the options', () => {
  it.each<[string, Partial<DucatOptions>]>([
    ['baseUrl', { baseUrl: 'pay.example' }],
    ['baseUrl', { baseUrl: 'ftp://pay.example' }],
    ['baseUrl', { baseUrl: 'https://user@pay.example' }],
    ['appId', { appId: '' }],
    ['appKey', { appKey: '' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['maxRetries', { maxRetries: 11 }],
  ])('refuse a wrong %s', (name, options) => {
    expect(() => client(options)).toThrow(name);
  });

  it('are asked for where they are left out', () => {
    // Calls the SDK as a program without types does.
    const Untyped = Ducat as unknown as new (options?: unknown) => Ducat;
    for (const given of [undefined, null, 'https://pay.example'])
      expect(() => new Untyped(given)).toThrow('new Ducat() takes { baseUrl, appId, appKey }');
  });

  it('may have a path and slashes at the end of baseUrl', async () => {
    answer = (_seen, response) => reply(response, ok([]));
    await client({ baseUrl: `${baseUrl}/gateway//` }).currencies.list();
    expect(seen[0]?.path).toBe('/gateway/api/currency/token-list');
  });

  it('do not show the AppKey when the client is printed', () => {
    expect(inspect(client(), { depth: 10, showHidden: true })).not.toContain(appKey);
    expect(JSON.stringify(client())).not.toContain(appKey);
  });
});
