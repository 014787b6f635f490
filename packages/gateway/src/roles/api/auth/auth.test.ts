// Decision A2, check by check and in its order, and decision A3: who gets a signed answer.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { changeApp } from '../../../flows/merchants/change-app.ts';
import { rotateAppKey } from '../../../flows/merchants/rotate-app-key.ts';
import { defaultApiLimits } from '../api-deps.ts';
import { databaseState } from '@ducat/testkit/api/database-state';
import { listenOnAnyPort, rawRequest } from '@ducat/testkit/api/raw-request';
import {
  isSignedBy,
  NOW,
  signatureOf,
  signedHeaders,
  startTestApi,
  type TestApi,
} from '@ducat/testkit/api/test-api';

const path = '/api/order/create';
const good = JSON.stringify({ out_trade_no: 'auth-1', currency_id: 1001, token_amount: '5' });
/** Wrong in every later check too, so that a case shows which check comes first. */
const wrongInAll = '{"currency_id":"x"}';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
});
afterAll(() => api.close());

/** Headers of a request that is right, with some of them replaced; undefined leaves one out. */
function headers(
  body: string,
  change: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const all = { ...signedHeaders(body, api.payment), ...change };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

describe('the order of checks (A2)', () => {
  const cases: readonly [string, Record<string, string | undefined>, number, string][] = [
    ['no X-Appid', { 'x-appid': undefined }, 10006, 'X-Appid'],
    ['an empty X-Appid', { 'x-appid': '' }, 10006, 'X-Appid'],
    ['no X-Timestamp', { 'x-timestamp': undefined, 'x-sign': 'zz' }, 10006, 'X-Timestamp'],
    ['no X-Sign', { 'x-sign': undefined, 'x-timestamp': '1' }, 10006, 'X-Sign'],
    ['an unknown app', { 'x-appid': 'app_nobody', 'x-timestamp': '1', 'x-sign': 'zz' }, 10006, 'X-Appid'],
    ['an app id with a quote', { 'x-appid': `' or 1=1 --` }, 10006, 'X-Appid'],
    ['an overlong app id', { 'x-appid': 'a'.repeat(65) }, 10006, 'X-Appid'],
    ['an empty timestamp', { 'x-timestamp': '', 'x-sign': 'zz' }, 10006, 'X-Timestamp'],
    ['a timestamp of 9 digits', { 'x-timestamp': '999999999', 'x-sign': 'zz' }, 10007, 'X-Timestamp'],
    ['a timestamp in milliseconds', { 'x-timestamp': `${NOW}000` }, 10007, 'X-Timestamp'],
    ['a timestamp with a sign', { 'x-timestamp': `+${NOW}`.slice(0, 10) }, 10007, 'X-Timestamp'],
    ['a timestamp with an exponent', { 'x-timestamp': '1763e6' }, 10007, 'X-Timestamp'],
    ['a timestamp with Arabic digits', { 'x-timestamp': '١٧٦٣٦٢٦٨٠٠' }, 10007, 'X-Timestamp'],
    ['a timestamp 121 s old', { 'x-timestamp': String(NOW - 121), 'x-sign': 'zz' }, 10007, 'X-Timestamp'],
    ['a timestamp 121 s ahead', { 'x-timestamp': String(NOW + 121), 'x-sign': 'zz' }, 10007, 'X-Timestamp'],
    ['a signature of 63 characters', { 'x-sign': 'a'.repeat(63) }, 10008, 'X-Sign'],
    ['a signature that is not hexadecimal', { 'x-sign': 'g'.repeat(64) }, 10008, 'X-Sign'],
    ['a signature of zeros', { 'x-sign': '0'.repeat(64) }, 10008, 'X-Sign'],
    ['the signature of another body', { 'x-sign': signatureOf('{}', String(NOW), 'k') }, 10008, 'X-Sign'],
  ];

  it.each(cases)('refuses %s', async (_name, change, code, field) => {
    // Arabic digits travel as the bytes of UTF-8, which Node hands over one character each.
    const encoded = Object.fromEntries(
      Object.entries(change).map(([name, value]) => [
        name,
        value === undefined ? undefined : Buffer.from(value).toString('latin1'),
      ]),
    );
    const before = await databaseState(api.database.reader);
    const answer = await api.send(path, wrongInAll, headers(wrongInAll, encoded));
    expect([answer.status, answer.code, answer.data]).toEqual([200, code, {}]);
    expect(answer.msg).toContain(field);
    // Nothing is signed for a caller that has not proven the key: it could be sent back as a request.
    expect([answer.headers['x-appid'], answer.headers['x-sign']]).toEqual([undefined, undefined]);
    expect(await databaseState(api.database.reader)).toEqual(before);
  });

  it.each(['x-appid', 'x-timestamp', 'x-sign'])(
    'refuses %s given twice, even with the same value',
    async (name) => {
      const port = await listenOnAnyPort(api.app);
      const sent = Object.entries(signedHeaders(good, api.payment)).flatMap(([key, value]) =>
        key === name ? [`${key}: ${value}`, `${key}: ${value}`] : [`${key}: ${value}`],
      );
      const head = [
        `POST ${path} HTTP/1.1`,
        'host: api.test',
        'connection: close',
        `content-length: ${good.length}`,
      ];
      const answer = await rawRequest(port, [...head, ...sent], [good]);
      expect(answer).toMatch(/"code":10006,"msg":"X-\w+ must be given exactly once"/);
    },
  );

  it.each([1, 33, 1_900, 2_500])(
    'refuses an X-Appid that comes again after %s other headers',
    async (count) => {
      const port = await listenOnAnyPort(api.app);
      const own = Object.entries(signedHeaders(good, api.payment)).map(([key, value]) => `${key}: ${value}`);
      const others = Array.from({ length: count }, () => 'a:');
      const head = [
        `POST ${path} HTTP/1.1`,
        'host: x',
        'connection: close',
        `content-length: ${good.length}`,
      ];
      const answer = await rawRequest(port, [...head, ...own, ...others, `x-appid: app_other`], [good]);
      expect(answer).toMatch(/"code":10006,"msg":"X-Appid must be given exactly once"/);
    },
  );

  it('accepts a timestamp 120 seconds off to either side, and upper-case hexadecimal', async () => {
    for (const at of [NOW - 120, NOW + 120]) {
      const answer = await api.send('/api/currency/token-list', '{}', signedHeaders('{}', api.payment, at));
      expect(answer.code).toBe(0);
    }
    const upper = { 'x-sign': signatureOf('{}', String(NOW), api.payment.appKey).toUpperCase() };
    expect((await api.send('/api/currency/token-list', '{}', headers('{}', upper))).code).toBe(0);
  });

  it('takes the checks in one order, and the pace of the app last', async () => {
    const limits = { ...defaultApiLimits, perApp: { perSecond: 0.001, burst: 1 } };
    const paced = await startTestApi(inject('postgresAdminUrl'), { limits });
    const other = await paced.addApp('QR_CODE');
    const right = JSON.stringify({ out_trade_no: 'order', currency_id: 1001, token_amount: '5' });
    const list = '/api/currency/token-list';
    const own = paced.payment;
    const old = signedHeaders(right, own, NOW - 121);
    // Each has one more thing right than the one before, so its code shows which check comes next.
    const stages: readonly [number, string, string, Record<string, string>][] = [
      [10006, path, wrongInAll, { ...old, 'x-appid': 'app_nobody', 'x-sign': 'zz' }],
      [10007, path, wrongInAll, { ...old, 'x-sign': 'zz', 'x-appid': other.appId }],
      [10008, path, wrongInAll, { ...signedHeaders(right, other), 'x-sign': 'zz' }],
      [10006, path, wrongInAll, signedHeaders(wrongInAll, other)],
      [10003, path, wrongInAll, signedHeaders(wrongInAll, own)],
      [0, path, right, signedHeaders(right, own)],
      [20009, path, right, signedHeaders(right, own)],
      [10003, path, wrongInAll, signedHeaders(wrongInAll, own)],
      // What only failed so far has used up nothing of the other app's pace.
      [0, list, '{}', signedHeaders('{}', other)],
      [20009, list, '{}', signedHeaders('{}', other)],
    ];
    try {
      for (const [code, url, body, sent] of stages) {
        const answer = await paced.send(url, body, { 'content-type': 'application/json', ...sent });
        const isProven = ![10007, 10008].includes(code) && sent['x-sign'] !== 'zz';
        expect([code, answer.code, answer.headers['x-sign'] !== undefined]).toEqual([code, code, isProven]);
      }
    } finally {
      await paced.close();
    }
  });

  it('refuses a disabled app like an unknown one, once its keys are no longer remembered', async () => {
    const other = await api.addApp();
    expect((await api.call('/api/currency/token-list', {}, other)).code).toBe(0);
    await api.database.transact((tx) => changeApp(tx, { appId: other.appId, enabled: false }));
    // Below the memory of keys the app is known as it was, at its end it is asked for again.
    api.world.advance(4_999);
    expect((await api.call('/api/currency/token-list', {}, other)).code).toBe(0);
    api.world.advance(1);
    const refused = await api.call('/api/currency/token-list', {}, other);
    const unknown = await api.call('/api/currency/token-list', {}, { appId: 'app_none', appKey: 'k' });
    api.world.advance(-5_000);
    expect([refused.code, refused.msg]).toEqual([unknown.code, unknown.msg]);
  });
});

describe('key rotation (A7)', () => {
  it('admits no new key of an app that was switched off, while its old one is still remembered', async () => {
    const old = await api.addApp();
    expect((await api.call('/api/currency/token-list', {}, old)).code).toBe(0);
    const { appKey, sealedKey } = api.appKeys.create(old.appId);
    const rotation = { appId: old.appId, sealedKey, nowMs: api.world.nowMs(), graceMs: 60_000 };
    await api.database.transact((tx) => rotateAppKey(tx, rotation));
    await api.database.transact((tx) => changeApp(tx, { appId: old.appId, enabled: false }));
    api.world.advance(1_000);
    const answer = await api.call('/api/currency/token-list', {}, { appId: old.appId, appKey });
    api.world.advance(-1_000);
    expect([answer.code, answer.headers['x-sign']]).toEqual([10008, undefined]);
  });

  it('takes the new key at once and the old one until its grace is over, and signs with the key that was used', async () => {
    const old = await api.addApp();
    expect((await api.call('/api/currency/token-list', {}, old)).code).toBe(0);
    const { appKey, sealedKey } = api.appKeys.create(old.appId);
    const rotation = { appId: old.appId, sealedKey, nowMs: api.world.nowMs(), graceMs: 60_000 };
    await api.database.transact((tx) => rotateAppKey(tx, rotation));
    api.world.advance(1_000);
    const fresh = { appId: old.appId, appKey };
    for (const app of [fresh, old]) {
      const answer = await api.call('/api/currency/token-list', {}, app);
      expect([answer.code, isSignedBy(answer, app)]).toEqual([0, true]);
    }
    api.world.advance(59_000);
    const late = await api.call('/api/currency/token-list', {}, old);
    api.world.advance(-60_000);
    expect([late.code, late.headers['x-sign']]).toEqual([10008, undefined]);
  });
});
