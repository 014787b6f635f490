// Decision A2, check by check and in its order, and decision A3: who gets a signed answer.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { changeApp } from '../../../flows/merchants/change-app.ts';
import { rotateAppKey } from '../../../flows/merchants/rotate-app-key.ts';
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
  const cases: readonly [string, Record<string, string | undefined>, number, string, boolean][] = [
    ['no X-Appid', { 'x-appid': undefined }, 10006, 'X-Appid', false],
    ['an empty X-Appid', { 'x-appid': '' }, 10006, 'X-Appid', false],
    ['no X-Timestamp', { 'x-timestamp': undefined, 'x-sign': 'zz' }, 10006, 'X-Timestamp', true],
    ['no X-Sign', { 'x-sign': undefined, 'x-timestamp': '1' }, 10006, 'X-Sign', true],
    [
      'an unknown app',
      { 'x-appid': 'app_nobody', 'x-timestamp': '1', 'x-sign': 'zz' },
      10006,
      'X-Appid',
      false,
    ],
    ['an app id with a quote', { 'x-appid': `' or 1=1 --` }, 10006, 'X-Appid', false],
    ['an overlong app id', { 'x-appid': 'a'.repeat(65) }, 10006, 'X-Appid', false],
    ['an empty timestamp', { 'x-timestamp': '', 'x-sign': 'zz' }, 10006, 'X-Timestamp', true],
    ['a timestamp of 9 digits', { 'x-timestamp': '999999999', 'x-sign': 'zz' }, 10007, 'X-Timestamp', true],
    ['a timestamp in milliseconds', { 'x-timestamp': `${NOW}000` }, 10007, 'X-Timestamp', true],
    ['a timestamp with a sign', { 'x-timestamp': `+${NOW}`.slice(0, 10) }, 10007, 'X-Timestamp', true],
    ['a timestamp with an exponent', { 'x-timestamp': '1763e6' }, 10007, 'X-Timestamp', true],
    ['a timestamp with Arabic digits', { 'x-timestamp': '١٧٦٣٦٢٦٨٠٠' }, 10007, 'X-Timestamp', true],
    [
      'a timestamp 121 s old',
      { 'x-timestamp': String(NOW - 121), 'x-sign': 'zz' },
      10007,
      'X-Timestamp',
      true,
    ],
    [
      'a timestamp 121 s ahead',
      { 'x-timestamp': String(NOW + 121), 'x-sign': 'zz' },
      10007,
      'X-Timestamp',
      true,
    ],
    ['a signature of 63 characters', { 'x-sign': 'a'.repeat(63) }, 10008, 'X-Sign', true],
    ['a signature that is not hexadecimal', { 'x-sign': 'g'.repeat(64) }, 10008, 'X-Sign', true],
    ['a signature of zeros', { 'x-sign': '0'.repeat(64) }, 10008, 'X-Sign', true],
    [
      'the signature of another body',
      { 'x-sign': signatureOf('{}', String(NOW), 'k') },
      10008,
      'X-Sign',
      true,
    ],
  ];

  it.each(cases)('refuses %s', async (_name, change, code, field, isSigned) => {
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
    expect(isSignedBy(answer, api.payment)).toBe(isSigned);
    expect(answer.headers['x-sign'] !== undefined).toBe(isSigned);
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

  it('accepts a timestamp 120 seconds off to either side, and upper-case hexadecimal', async () => {
    for (const at of [NOW - 120, NOW + 120]) {
      const answer = await api.send('/api/currency/token-list', '{}', signedHeaders('{}', api.payment, at));
      expect(answer.code).toBe(0);
    }
    const upper = { 'x-sign': signatureOf('{}', String(NOW), api.payment.appKey).toUpperCase() };
    expect((await api.send('/api/currency/token-list', '{}', headers('{}', upper))).code).toBe(0);
  });

  it('checks the kind of the app before the body, and the body last', async () => {
    const qrCode = await api.addApp('QR_CODE');
    const wrongKind = await api.call(path, wrongInAll, qrCode);
    expect([wrongKind.code, isSignedBy(wrongKind, qrCode)]).toEqual([10006, true]);
    expect((await api.call('/api/currency/token-list', {}, qrCode)).code).toBe(0);
    const quote = { currency_id: 1000, fiat_name: 'USD', fiat_amount: '1' };
    expect((await api.call('/api/order/exchange-rates', quote, qrCode)).code).toBe(0);
    expect((await api.call(path, wrongInAll)).code).toBe(10003);
  });

  it('refuses a disabled app like an unknown one, once its keys are no longer remembered', async () => {
    const other = await api.addApp();
    expect((await api.call('/api/currency/token-list', {}, other)).code).toBe(0);
    await api.database.transact((tx) => changeApp(tx, { appId: other.appId, enabled: false }));
    api.world.advance(5_000);
    const refused = await api.call('/api/currency/token-list', {}, other);
    const unknown = await api.call('/api/currency/token-list', {}, { appId: 'app_none', appKey: 'k' });
    api.world.advance(-5_000);
    expect([refused.code, refused.msg]).toEqual([unknown.code, unknown.msg]);
  });
});

describe('key rotation (A7)', () => {
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
    expect([late.code, isSignedBy(late, fresh)]).toEqual([10008, true]);
  });
});
