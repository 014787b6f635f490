// What is no operation: wrong paths, methods, types and sizes, slow and broken requests, probes, draining.
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { refuse } from '@ducat/core/result';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { realWorld } from '../../runtime/world.ts';
import { createApiApp } from './app.ts';
import { defaultApiLimits } from './api-deps.ts';
import { databaseState } from '@ducat/testkit/api/database-state';
import { listenOnAnyPort, rawRequest } from '@ducat/testkit/api/raw-request';
import { isSignedBy, NOW, signedHeaders, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';

const path = '/api/order/create';
const open: TestApi[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => api.close());

async function another(change: Parameters<typeof startTestApi>[1]): Promise<TestApi> {
  const started = await startTestApi(inject('postgresAdminUrl'), change);
  open.push(started);
  return started;
}

const noRate = refuse({ code: 'rate-unavailable', message: 'there is no rate' });

describe('paths and methods', () => {
  it.each([
    '/api/order/create/',
    '/api//order/create',
    '/api/order/create?x=1',
    '/api/order/%63reate',
    '/API/order/create',
    '/api/order/create;x',
    '/v2/order/create',
    '/api/order',
    '/api/%zz',
    '/api/order/create%ff',
    '/order/create',
    '/',
  ])('answers 404 with an envelope, unsigned, at %s', async (url) => {
    const answer = await api.call(url, { out_trade_no: 'path', currency_id: 1001, token_amount: '5' });
    expect([answer.status, answer.code, answer.data]).toEqual([404, 10002, {}]);
    expect(answer.headers['x-sign']).toBeUndefined();
  });

  it('answers 404 to a path that only means the same', async () => {
    const port = await listenOnAnyPort(api.app);
    for (const url of ['/api/order/../order/create', '/api/./order/create', `http://api.test${path}`]) {
      const head = [`POST ${url} HTTP/1.1`, 'host: api.test', 'connection: close', 'content-length: 0'];
      expect(await rawRequest(port, head, [])).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)('answers 405 to %s', async (method) => {
    const response = await api.app.inject({ method, url: path, headers: { 'x-appid': api.payment.appId } });
    expect([response.statusCode, response.headers['allow'], response.json().code]).toEqual([
      405,
      'POST',
      10002,
    ]);
    expect(response.headers['x-sign']).toBeUndefined();
  });

  it('answers 405 to QUERY too, which needs no content type here', async () => {
    const port = await listenOnAnyPort(api.app);
    const head = [`QUERY ${path} HTTP/1.1`, 'host: api.test', 'connection: close', 'content-length: 0'];
    // Versions of Node that do not know the method answer that this is no HTTP.
    const status = METHODS.includes('QUERY') ? 405 : 400;
    expect(await rawRequest(port, head, [])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"code":1000[23]`));
  });

  it('keeps the pace and the log at a path that cannot be read, as at any other', async () => {
    const limited = await another({
      limits: { ...defaultApiLimits, perAddress: { perSecond: 1, burst: 1 } },
    });
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await limited.send('/api/%zz', '', {})).code);
    expect(codes).toEqual([10002, 20009, 20009]);
    expect(limited.logs).toHaveLength(3);
  });
});

describe('content types', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    'application/json, text/plain',
    'json',
  ])('answers 415 to %s', async (type) => {
    const headers = { ...signedHeaders('{}', api.payment), 'content-type': type };
    const answer = await api.send('/api/currency/token-list', '{}', headers);
    expect([answer.status, answer.code, answer.headers['x-sign']]).toEqual([415, 10003, undefined]);
    expect(answer.msg).toContain('content-type');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'takes %s',
    async (type) => {
      const headers = { ...signedHeaders('{}', api.payment), 'content-type': type };
      expect((await api.send('/api/currency/token-list', '{}', headers)).code).toBe(0);
    },
  );
});

describe('large and slow requests, over a real socket', () => {
  const head = (length: string) => [
    `POST ${path} HTTP/1.1`,
    'host: api.test',
    length,
    ...Object.entries(signedHeaders('', api.payment)).map(([name, value]) => `${name}: ${value}`),
  ];

  function* megabytes(count: number, chunked: boolean): Iterable<Buffer | string> {
    const part = Buffer.alloc(65_536, 'x');
    for (let i = 0; i < count * 16; i++) {
      if (chunked) yield '10000\r\n';
      yield part;
      if (chunked) yield '\r\n';
    }
  }

  it.each([
    ['announced', `content-length: ${10 * 1024 * 1024}`, false],
    ['in chunks', 'transfer-encoding: chunked', true],
  ])(
    'answers 413 to a body of 10 MiB, %s, and closes after the sender has read it',
    async (_name, length, chunked) => {
      const before = await databaseState(api.database.reader);
      const port = await listenOnAnyPort(api.app);
      const answer = await rawRequest(port, head(length), megabytes(10, chunked));
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('"code":10003,"msg":"body must be at most 65536 bytes"');
      expect(answer).not.toMatch(/x-sign:/i);
      expect(await databaseState(api.database.reader)).toEqual(before);
    },
  );

  it('takes a body of exactly 64 KiB as far as the checks of its content', async () => {
    const body = `{"out_trade_no":"${'x'.repeat(65_536 - 19)}"}`;
    const answer = await api.call(path, body);
    expect([Buffer.byteLength(body), answer.status, answer.code]).toEqual([65_536, 200, 10003]);
    expect((await api.call(path, `${body} `)).status).toBe(413);
  });

  it('answers a request that is no HTTP in the envelope and closes', async () => {
    const port = await listenOnAnyPort(api.app);
    const broken = await rawRequest(port, ['NONSENSE'], []);
    expect(broken).toMatch(/^HTTP\/1\.1 400 [^]*"code":10003/);
    const long = await rawRequest(port, [`GET / HTTP/1.1`, `x: ${'y'.repeat(20_000)}`], []);
    expect(long).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('answers a request that takes too long, and an Expect that it does not know', async () => {
    const port = await listenOnAnyPort(api.app);
    const { server } = api.app;
    // As Node says it once requestTimeout is over.
    server.once('connection', (socket: Socket) => {
      const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, socket);
    });
    expect(await rawRequest(port, [], [])).toMatch(/^HTTP\/1\.1 408 [^]*"code":10003/);
    const expecting = ['GET /healthz HTTP/1.1', 'host: x', 'connection: close', 'expect: wonders'];
    expect(await rawRequest(port, expecting, [])).toMatch(/^HTTP\/1\.1 417 /);
  });

  it('gives headers, bodies and readers only so much time', () => {
    const { server } = api.app;
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout]).toEqual([
      10_000, 20_000, 30_000, 60_000,
    ]);
  });
});

describe('request ids', () => {
  it('are made here, or taken where they are short and clean', async () => {
    const made = await api.app.inject({ method: 'GET', url: '/healthz' });
    expect(made.headers['x-request-id']).toMatch(/^req_[0-9a-z]{30}$/);
    for (const [given, taken] of [
      ['trace-0001', true],
      ['short', false],
      ['x'.repeat(65), false],
      ['has space', false],
      ['<script>1</script>', false],
    ] as const) {
      const answer = await api.app.inject({
        method: 'GET',
        url: '/healthz',
        headers: { 'x-request-id': given },
      });
      expect(answer.headers['x-request-id'] === given).toBe(taken);
    }
  });
});

describe('the pace', () => {
  it('of one app ends in 20009 with Retry-After, signed; others go on', async () => {
    const limited = await another({ limits: { ...defaultApiLimits, perApp: { perSecond: 0.5, burst: 2 } } });
    const other = await limited.addApp();
    const list = '/api/currency/token-list';
    for (let i = 0; i < 2; i++) expect((await limited.call(list, {})).code).toBe(0);
    const refused = await limited.call(list, {});
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([200, 20009, '2']);
    expect(isSignedBy(refused, limited.payment)).toBe(true);
    expect((await limited.call(list, {}, other)).code).toBe(0);
    limited.world.advance(2_000);
    expect((await limited.call(list, {})).code).toBe(0);
  });

  it('of one network address is kept before anything else, but /healthz is let through', async () => {
    const limited = await another({
      limits: { ...defaultApiLimits, perAddress: { perSecond: 1, burst: 1 } },
    });
    expect((await limited.call(path, '[]')).code).toBe(10003);
    const refused = await limited.call(path, '[]');
    expect([refused.code, refused.headers['retry-after'], refused.headers['x-sign']]).toEqual([
      20009,
      '1',
      undefined,
    ]);
    expect((await limited.app.inject('/healthz')).statusCode).toBe(200);
    expect((await limited.app.inject('/readyz')).json().code).toBe(20009);
  });
});

describe('when Ducat itself is in trouble', () => {
  it('answers 503 while the database is away, and says so in readyz', async () => {
    const away = () => Promise.reject(new Outage('postgres://user:pw@db failed', { retryable: true }));
    const lost = await another({ reader: { read: away } });
    expect((await lost.call(path, '{}')).code).toBe(10003);
    const order = await lost.call(path, { out_trade_no: 'x', currency_id: 1001, token_amount: '5' });
    expect([order.status, order.code, order.raw.includes('pw')]).toEqual([503, 10002, false]);
    expect(isSignedBy(order, lost.payment)).toBe(true);
    expect((await lost.app.inject('/healthz')).statusCode).toBe(200);
    const ready = await lost.app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([
      503,
      { ready: false, database: false, chains: {}, suspended: [] },
    ]);
  });

  it('answers a signed 503 while the database hangs, also where the key is read from it', async () => {
    let isHanging = false;
    const hang = <T>(read: () => Promise<T>) => (isHanging ? new Promise<T>(() => undefined) : read());
    const hung = await another({});
    const reader: Reader = { read: (sql, values) => hang(() => hung.database.reader.read(sql, values)) };
    const appKeys = {
      ...hung.appKeys,
      keysFor: (appId: string, maxAgeMs?: number) => hang(() => hung.appKeys.keysFor(appId, maxAgeMs)),
    };
    // Time passes fifty times as fast.
    const hurried = { ...hung.world, sleep: (ms: number) => realWorld.sleep(ms / 50) };
    for (const change of [{ reader }, { appKeys }]) {
      const app = createApiApp({ ...hung.deps, world: hurried, ...change });
      isHanging = false;
      expect((await hung.call('/api/currency/token-list', {})).code).toBe(0);
      isHanging = true;
      const body = JSON.stringify({ trade_no: 'ord_x' });
      const headers = signedHeaders(body, hung.payment);
      const {
        statusCode,
        payload: raw,
        headers: sent,
      } = await app.inject({
        method: 'POST',
        url: '/api/order/detail',
        payload: body,
        headers,
      });
      const answer = { raw, headers: sent, status: statusCode, code: 0, msg: '', data: {} };
      expect([statusCode, isSignedBy(answer, hung.payment)]).toEqual([503, true]);
      await app.close();
    }
  });

  it('answers 10002 to what it did not expect, says why in the log and not to the merchant', async () => {
    const broken = await another({ reader: { read: () => Promise.reject(new Error('secret detail')) } });
    const answer = await broken.call(path, { out_trade_no: 'x', currency_id: 1001, token_amount: '5' });
    expect([answer.status, answer.code, isSignedBy(answer, broken.payment)]).toEqual([200, 10002, true]);
    expect(answer.raw).not.toContain('secret');
    expect(answer.msg).toContain(String(answer.headers['x-request-id']));
    expect(JSON.stringify(broken.logs, errorText)).toContain('secret detail');
  });

  it('answers 503 while it drains, and lets running requests end', async () => {
    const seen: (() => void)[] = [];
    const rates = {
      warning: null,
      quote: () => new Promise<typeof noRate>((done) => void seen.push(() => done(noRate))),
    };
    const draining = await another({ rates });
    const quote = { currency_id: 1000, fiat_name: 'USD', fiat_amount: '1' };
    const body = JSON.stringify(quote);
    const request = (url: string) => [
      `POST ${url} HTTP/1.1`,
      `host: api.test\r\ncontent-length: ${body.length}`,
      ...Object.entries(signedHeaders(body, draining.payment)).map(([name, value]) => `${name}: ${value}`),
    ];
    const port = await listenOnAnyPort(draining.app);
    const accepted = new Promise<Socket>((done) => void draining.app.server.once('connection', done));
    const bytes = (url: string) => `${request(url).join('\r\n')}\r\n\r\n${body}`;
    const [first, second] = [bytes('/api/order/exchange-rates'), bytes('/api/currency/token-list')];
    const socket = connect(port, '127.0.0.1');
    let answers = '';
    socket.on('data', (chunk) => {
      answers += String(chunk);
    });
    const ended = new Promise((done) => void socket.once('close', done));
    socket.write(first);
    while (seen.length === 0) await realWorld.sleep(5);
    const closed = draining.app.close();
    while (draining.app.server.listening) await realWorld.sleep(5);
    socket.write(second);
    const serverSide = await accepted;
    while (serverSide.bytesRead < first.length + second.length) await realWorld.sleep(5);
    seen[0]?.();
    await Promise.all([closed, ended]);
    expect(answers).toMatch(/^HTTP\/1\.1 200 [^]*"code":10002[^]*HTTP\/1\.1 503 [^]*"code":10002/);
    expect(answers.match(/\r\nx-sign: /gi)).toHaveLength(2);
    await expect(rawRequest(port, ['GET /healthz HTTP/1.1', 'host: x'], [])).rejects.toThrow('ECONNREFUSED');
  });
});

describe('readyz', () => {
  it('reads the database once for all who ask at the same time', async () => {
    let reads = 0;
    const reader: Reader = {
      read: (sql, values) => {
        reads += 1;
        return api.database.reader.read(sql, values);
      },
    };
    const asked = await another({ reader });
    const answers = await Promise.all(Array.from({ length: 100 }, () => asked.app.inject('/readyz')));
    expect(new Set(answers.map(({ payload }) => payload)).size).toBe(1);
    // The chains, and the currencies that are suspended.
    expect(reads).toBe(2);
  });

  it('reports a chain that is old or halted, and stays ready for all the others', async () => {
    const fresh = await another({});
    const ask = async () => {
      fresh.world.advance(1_000);
      const response = await fresh.app.inject('/readyz');
      const { ready, chains } = response.json();
      return [response.statusCode, ready, chains.ETH.ready, chains.ETH.halted, chains.BSC.ready];
    };
    expect(await ask()).toEqual([200, true, true, false, true]);
    const change = (set: string) =>
      fresh.database.transact((tx) => tx.write(`UPDATE chain_cursors SET ${set} WHERE chain = 'ETH'`, []));
    await change(`head_time = ${NOW - 301}`);
    expect(await ask()).toEqual([200, true, false, false, true]);
    await change(`head_time = ${NOW}, halted_reason = 'the inner reason'`);
    expect(await ask()).toEqual([200, true, false, true, true]);
    expect((await fresh.app.inject('/readyz')).payload).not.toContain('inner reason');
  });
});

function errorText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
