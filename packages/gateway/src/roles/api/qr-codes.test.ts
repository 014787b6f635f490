// payment-qr-code/create: who may, what is refused, and one code per call however it is repeated.
import { changeApp } from '../../flows/merchants/change-app.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { databaseState } from '@ducat/testkit/api/database-state';
import { signedHeaders, startTestApi, type TestApi, type TestApp } from '@ducat/testkit/api/test-api';

const path = '/api/payment-qr-code/create';
const wanted = { name: 'Counter 3', currency_id: 1001, amount: '0' };

let api: TestApi;
let shop: TestApp;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  shop = await api.addApp('QR_CODE');
});
afterAll(() => api.close());

/** A signed call under an Idempotency-Key. */
function named(key: string, body: object, app = shop) {
  const bytes = JSON.stringify(body);
  const headers = signedHeaders(bytes, app, Math.floor(api.world.nowMs() / 1000));
  return api.send(path, bytes, { ...headers, 'idempotency-key': key });
}

describe('the kind of the app', () => {
  it('is QR_CODE here and PAYMENT for orders; both read their balances', async () => {
    expect((await api.call(path, wanted)).code).toBe(10006);
    const order = { out_trade_no: 'of-a-qr-app', currency_id: 1001, token_amount: '1' };
    expect((await api.call('/api/order/create', order, shop)).code).toBe(10006);
    expect((await api.call('/api/order/detail', { trade_no: 'ord_1' }, shop)).code).toBe(10006);
    expect((await api.call('/api/account/balance', { currency_id: 1001 }, shop)).code).toBe(0);
    expect((await api.call('/api/currency/app-token-list', {}, shop)).code).toBe(0);
  });
});

describe('one code per call (A5)', () => {
  // hits mark: one-qr-code-per-call
  it('gives one code and equal bytes to 20 parallel repetitions, on either path', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => named('till-1', wanted)));
    expect(new Set(answers.map(({ raw }) => raw)).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: 0, data: { id: expect.any(Number) } });
    const before = await databaseState(api.database.reader);
    const legacy = JSON.stringify({ ...wanted, currency_id: '1001' });
    const headers = { ...signedHeaders(legacy, shop), 'idempotency-key': 'till-1' };
    expect((await api.send('/v1/payment-qr-code/create', legacy, headers)).raw).toBe(answers[0]?.raw);
    expect((await named('till-1', { ...wanted, amount: '1' })).code).toBe(10003);
    expect((await named('till-1', { ...wanted, name: 'Counter 4' })).code).toBe(10003);
    expect(await databaseState(api.database.reader)).toEqual(before);
  });

  it('is named by its signature where it has no key, and the name is of one app', async () => {
    const bytes = JSON.stringify({ ...wanted, name: 'replayed' });
    const headers = signedHeaders(bytes, shop);
    const first = await api.send(path, bytes, headers);
    expect((await api.send(path, bytes, headers)).raw).toBe(first.raw);
    const other = await api.addApp('QR_CODE');
    const shared = { ...wanted, name: 'shared' };
    const [mine, theirs] = [await named('shared', shared), await named('shared', shared, other)];
    expect(mine.data['address']).not.toBe(theirs.data['address']);
    expect(mine.data['id']).not.toBe(theirs.data['id']);
  });

  it('is repeated also when the currency has gone off meanwhile', async () => {
    const app = await api.addApp('QR_CODE');
    const standing = await named('stays', wanted, app);
    await api.database.transact((tx) => changeApp(tx, { appId: app.appId, currenciesOff: [1001] }));
    expect((await named('stays', wanted, app)).raw).toBe(standing.raw);
    expect((await named('new', wanted, app)).code).toBe(20003);
  });

  // hits mark: one-qr-code-per-signature
  it('is never made twice of one signed request, whatever key it is sent under', async () => {
    const app = await api.addApp('QR_CODE');
    expect((await named('mine', wanted, app)).code).toBe(0);
    const before = await databaseState(api.database.reader);
    const caught = await named('of a thief', wanted, app);
    expect([caught.code, caught.msg]).toEqual([10003, expect.stringContaining('characters')]);
    const again = await named('of-a-thief', wanted, app);
    expect([again.code, again.msg]).toEqual([10003, expect.stringContaining('sign it anew')]);
    expect(await databaseState(api.database.reader)).toEqual(before);
  });

  it('takes a key of visible characters only, once', async () => {
    for (const key of ['', 'a b', 'x'.repeat(129)]) expect((await named(key, wanted)).code).toBe(10003);
  });
});

describe('the address', () => {
  it('is another one for each code, from a pool that was empty, and never one of an order', async () => {
    const app = await api.addApp('QR_CODE');
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => named(`many-${n}`, { ...wanted, name: `till ${n}` }, app)),
    );
    expect(codes.every(({ code }) => code === 0)).toBe(true);
    expect(new Set(codes.map(({ data }) => data['address'])).size).toBe(30);
    const rows = await api.database.reader.read(
      `SELECT purpose, count(*)::integer AS codes FROM addresses JOIN qr_codes USING (address_id)
       WHERE qr_codes.app_id = $1 GROUP BY purpose`,
      [app.appId],
    );
    expect(rows).toEqual([{ purpose: 'static', codes: 30 }]);
  });

  // hits mark: static-address-comes-from-the-app-key
  it('is not answered when a hand in the database has changed it', async () => {
    const app = await api.addApp('QR_CODE');
    const standing = await named('tampered', wanted, app);
    await api.database.transact((tx) =>
      tx.write(`UPDATE addresses SET address = '0x' || repeat('e', 40) WHERE address = lower($1)`, [
        String(standing.data['address']),
      ]),
    );
    expect((await named('tampered', wanted, app)).code).toBe(10002);
    expect(api.bugs).toHaveLength(1);
  });
});

describe('bad input', () => {
  it.each<readonly [string, object, number]>([
    ['no name', { currency_id: 1001 }, 10003],
    ['an empty name', { ...wanted, name: '' }, 10003],
    ['a name of 129 characters', { ...wanted, name: 'x'.repeat(129) }, 10003],
    ['a name with a control character', { ...wanted, name: 'a\u0000b' }, 10003],
    ['no currency', { name: 'x' }, 10003],
    ['an unknown currency', { ...wanted, currency_id: 9999 }, 10003],
    ['a currency that is off', { ...wanted, currency_id: 1002 }, 20003],
    ['a chain that is off', { ...wanted, currency_id: 3001 }, 20003],
    ['a sign', { ...wanted, amount: '-1' }, 10003],
    ['a number for text', { ...wanted, amount: 1 }, 10003],
    ['more decimals than the token has', { ...wanted, amount: '0.0000001' }, 10003],
    ['an absurd amount', { ...wanted, amount: '1'.repeat(79) }, 10003],
    ['a field that is not known', { ...wanted, callback_url: 'https://shop.test/' }, 10003],
  ])('refuses %s', async (_, body, code) => {
    const answer = await api.call(path, body, shop);
    expect([answer.code, answer.status]).toEqual([code, 200]);
  });
});
