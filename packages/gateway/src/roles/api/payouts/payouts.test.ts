// payout/create and payout/detail on PostgreSQL: what is bound, when nothing is, and one payout per call.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import type { MerchantLimits } from '@ducat/core/access/merchant-limits';
import { amountOf } from '@ducat/core/money/amount';
import { callNamed, fixedNetworkFees, fundApp } from '@ducat/testkit/api/paying-out';
import { startTestApi, type TestApi, type TestApp } from '@ducat/testkit/api/test-api';
import { createTestWorld } from '@ducat/testkit/api/test-world';
import { URI, type TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { limitMerchant } from '../../../flows/merchants/limit-merchant.ts';
import { changeAddressList } from '../../../flows/payouts/change-address-list.ts';
import { changeRules } from '../../../flows/payouts/change-rules.ts';
import { setCodeSecret } from '../../../flows/payouts/codes/set-code-secret.ts';
import { createFixedRates } from '../../../rates/fixed.ts';
import type { RateSource } from '../../../rates/port.ts';
import { Outage } from '../../../runtime/outage.ts';
import { createCatalogue } from '../catalogue.ts';
import type { NetworkFees } from './network-fees.ts';

const path = '/api/payout/create';
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
/** 0.001 ETH at 4000 USD: 4 USDT. */
const FEE_UNITS = 10n ** 15n;
const fixed = createFixedRates(createTestWorld(1_763_626_800_000));
const usualFees = fixedNetworkFees(chainDefinitions, FEE_UNITS);

let api: TestApi;
let app: TestApp;
let rates: RateSource;
let estimate: NetworkFees['estimate'];
let calls = 0;

beforeAll(async () => {
  const isCurrencyOn = (currencyId: number) => currencyId !== 1002;
  api = await startTestApi(inject('postgresAdminUrl'), {
    rates: { warning: null, quote: (currency, fiat) => rates.quote(currency, fiat) },
    networkFees: new Map([...usualFees.keys()].map((name) => [name, { estimate: (what) => estimate(what) }])),
    catalogue: createCatalogue(
      chainDefinitions.map((definition) => ({ definition, on: true, isCurrencyOn })),
    ),
  });
  await api.database.transact((tx) =>
    tx.write(
      `INSERT INTO chain_cursors (chain, head_number, head_hash, head_time, final_number, final_time, updated_at_ms)
       VALUES ('Tron', 1000, 'head', 0, 990, 0, 0)`,
      [],
    ),
  );
});
beforeEach(async () => {
  rates = fixed;
  estimate = (what) => usualFees.get('ETH')!.estimate(what);
  app = await api.addApp();
  await fundApp(api.database, app.appId, 1001, 1_000_000_000n);
});
afterAll(() => api.close());

/** Each with a signature of its own. */
const ask = (change: object = {}, key = `call-${calls}`) =>
  callNamed(
    api,
    key,
    { currency_id: 1001, amount: '100', to_address: TO, ...change },
    app,
    (++calls % 200) - 100,
  );

/** Operable and frozen units, payouts and entries of the app: what a refusal must leave as it was. */
async function books(): Promise<readonly unknown[]> {
  const accounts = await api.database.reader.read<{ kind: string; balance: string }>(
    `SELECT kind, balance FROM accounts WHERE owner = $1 AND currency_id = 1001 AND balance <> 0 ORDER BY kind`,
    [app.appId],
  );
  const payouts = await api.database.reader.read('SELECT FROM payouts WHERE app_id = $1', [app.appId]);
  return [Object.fromEntries(accounts.map(({ kind, balance }) => [kind, balance])), payouts.length];
}
const untouched = [{ available: '1000000000' }, 0];

describe('payout/create', () => {
  it('fixes the cost, binds all of it at once, and detail shows it', async () => {
    const made = await ask();
    expect([made.code, made.data]).toEqual([
      0,
      {
        cost: '4.03',
        actual_receipt: '100',
        trade_no: expect.stringMatching(/^pay_[0-9a-hjkmnp-tv-z]{30}$/),
        estimated_transfer: '104.03',
      },
    ]);
    expect(await books()).toEqual([{ available: '895970000', frozen: '104030000' }, 1]);
    const detail = await api.call('/api/payout/detail', { trade_no: made.data['trade_no'] }, app);
    expect(detail.data).toEqual({
      trade_no: made.data['trade_no'],
      service_charge: '0.03',
      gas: '4',
      token: 'USDT',
      amount: '100',
      target_address: TO,
      start_time: 0,
      created_time: 1_763_626_800,
      status: 'PROGRESS',
    });
    const stranger = await api.call('/api/payout/detail', { trade_no: made.data['trade_no'] });
    const unknown = await api.call('/api/payout/detail', { trade_no: 'pay_unknown' });
    expect([stranger.code, stranger.msg]).toEqual([10004, unknown.msg]);
  });

  it('deducts the cost where the operator set so, and pays native coins without any rate but for limits', async () => {
    await api.database.transact((tx) =>
      changeRules(tx, app.appId, { feeMode: 'deducted', maxValue: null, maxDayValue: null }),
    );
    expect((await ask()).data).toMatchObject({ actual_receipt: '95.97', estimated_transfer: '100' });
    await fundApp(api.database, app.appId, 1000, 10n ** 18n);
    rates = { warning: null, quote: () => Promise.reject(new Outage('away')) };
    expect((await ask({ currency_id: 1000, amount: '0.1' })).data).toMatchObject({
      cost: '0.00103',
      actual_receipt: '0.09897',
    });
  });

  it('lets one of many parallel calls have the whole balance', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => ask({ amount: '990' })));
    expect(all.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, ...Array(19).fill(10002)]);
    expect(await books()).toEqual([{ available: '5703000', frozen: '994297000' }, 1]);
  });

  // hits mark: one-payout-per-call
  it('makes one payout of a call that is repeated in parallel, by its signature or its key, on either path', async () => {
    const body = { currency_id: 1001, amount: '7', to_address: TO };
    const bySign = await Promise.all(Array.from({ length: 25 }, () => api.call(path, body, app)));
    expect(new Set(bySign.map(({ raw }) => raw)).size).toBe(1);
    const byKey = await Promise.all(Array.from({ length: 25 }, () => ask({ amount: '8' }, 'same')));
    api.world.advance(60_000);
    byKey.push(await ask({ amount: '8' }, 'same'), await ask({ amount: '8', otp_code: '123456' }, 'same'));
    expect(new Set(byKey.map(({ raw }) => raw)).size).toBe(1);
    expect(byKey[0]?.code).toBe(0);
    expect((await books())[1]).toBe(2);
    for (const other of [
      { amount: '8.0' },
      { amount: '9' },
      { amount: '8', callback_url: 'https://a.test' },
    ]) {
      expect((await ask(other, 'same')).code).toBe(10003);
    }
    const legacy = await api.call('/v1/payout/create', { ...body, currency_id: '1001' }, app);
    expect(legacy.code).toBe(0);
    expect((await books())[1]).toBe(3);
  });

  // hits mark: one-payout-per-signature
  it('takes a request that was intercepted under no other key, and under none', async () => {
    const body = { currency_id: 1001, amount: '7', to_address: TO };
    const caught = (key: string) => callNamed(api, key, body, app);
    const made = await caught('mine');
    expect([made.code, (await caught('mine')).raw]).toEqual([0, made.raw]);
    for (const again of [await caught('other'), await api.call(path, body, app)]) {
      expect(again).toMatchObject({ code: 10003, msg: expect.stringContaining('another Idempotency-Key') });
    }
    expect((await books())[1]).toBe(1);
  });

  it('answers a repetition whatever has changed since, and binds nothing more', async () => {
    const made = await ask({ amount: '900' }, 'first');
    estimate = () => Promise.reject(new Outage('away'));
    expect((await ask({ amount: '900' }, 'first')).raw).toBe(made.raw);
  });

  it.each(['', 'with space', 'x'.repeat(129), 'ümlaut'])('refuses %j as a key', async (key) => {
    expect((await ask({}, key)).code).toBe(10003);
    expect(await books()).toEqual(untouched);
  });

  it.each([
    ['more than the balance', { amount: '1000.000001' }, 10002],
    ['the balance, without its cost', { amount: '1000' }, 10002],
    ['nothing', { amount: '0' }, 10003],
    ['more decimals than the token', { amount: '1.0000001' }, 10003],
    ['the zero address', { to_address: `0x${'0'.repeat(40)}` }, 10003],
    ['a token contract', { to_address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' }, 10003],
    [
      'a token contract of another chain',
      { to_address: '0x55d398326f99059fF775485246999027B3197955' },
      10003,
    ],
    ['a wrong checksum', { to_address: '0x52908400098527886E0F7030069857D2E4169Ee7' }, 10003],
    ['an address of Tron', { to_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, 10003],
    ['a private callback', { callback_url: 'http://10.0.0.1/' }, 10003],
    ['a code that is none', { otp_code: '12345' }, 10003],
    ['an unknown field', { status: 'PAID' }, 10003],
    ['an unknown currency', { currency_id: 1999 }, 10003],
    ['a currency that is off', { currency_id: 1002 }, 20003],
  ])('refuses %s and binds nothing', async (_what, change, code) => {
    expect((await ask(change)).code).toBe(code);
    expect(await books()).toEqual(untouched);
  });

  it('refuses addresses of ours, and on Tron an EVM token’s', async () => {
    const order = { out_trade_no: `o-${app.appId}`, currency_id: 1001, token_amount: '1' };
    const { data } = await api.call('/api/order/create', order, app);
    expect(await ask({ to_address: data['pay_address'] })).toMatchObject({
      code: 10003,
      msg: 'to_address is an address of this gateway',
    });
    await fundApp(api.database, app.appId, 3001, 10n ** 12n);
    const zero = await ask({ currency_id: 3001, to_address: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' });
    expect(zero.msg).toContain('zero address');
    expect(await books()).toEqual(untouched);
  });

  it('refuses what the chain would not execute, and waits for a fee, a rate and a chain that are away', async () => {
    const halt = (reason: string | null) =>
      api.database.transact((tx) =>
        tx.write("UPDATE chain_cursors SET halted_reason = $1 WHERE chain = 'ETH'", [reason]),
      );
    const reasons = ['reverts', 'too-dear'] as const;
    for (const reason of reasons) {
      estimate = () => Promise.resolve({ outcome: 'impossible', reason, text: 'execution reverted' });
      expect(await ask()).toMatchObject({ code: 10003, msg: expect.stringMatching(/^to_address /) });
    }
    estimate = () => Promise.reject(new Outage('no provider'));
    expect((await ask()).code).toBe(10002);
    estimate = (what) => usualFees.get('ETH')!.estimate(what);
    rates = { warning: null, quote: () => Promise.reject(new Outage('no source')) };
    expect((await ask()).code).toBe(10002);
    rates = fixed;
    await halt('a reorg too deep');
    expect(await ask()).toMatchObject({ code: 10002, msg: expect.stringContaining('halted') });
    await halt(null);
    expect(await books()).toEqual(untouched);
    expect((await ask()).code).toBe(0);
  });
});

describe('the controls of an operator', () => {
  it('limit a payout and a day, and what was cancelled counts no more', async () => {
    const rules = { maxValue: 300_000_000n, maxDayValue: 500_000_000n };
    await api.database.transact((tx) => changeRules(tx, app.appId, rules));
    expect((await ask({ amount: '300.000001' })).code).toBe(10002);
    const first = await ask({ amount: '300' });
    expect((await ask({ amount: '200.000001' })).code).toBe(10002);
    expect((await ask({ amount: '200' })).code).toBe(0);
    expect((await ask({ amount: '1' })).code).toBe(10002);
    await api.database.transact((tx) =>
      tx.write(
        `UPDATE payouts SET status = 'CANCEL', end_time = 0, ended_by = 'test', end_reason = 'test' WHERE trade_no = $1`,
        [String(first.data['trade_no'])],
      ),
    );
    expect((await ask({ amount: '1' })).code).toBe(0);
    api.world.advance(86_400_000);
    expect((await ask({ amount: '299' })).code).toBe(0);
  });

  it('bind all apps of a merchant together, also where they ask at once and their own limits allow more', async () => {
    // What other apps of the merchant paid out above counts no more.
    api.world.advance(86_400_000);
    const limit = (limits: Partial<MerchantLimits>) =>
      api.database.transact((tx) => limitMerchant(tx, 'mer_1', limits));
    await limit({ payoutMaxValue: 300_000_000n, payoutMaxDayValue: 1_000_000_000n });
    const other = await api.addApp();
    await fundApp(api.database, other.appId, 1001, 1_000_000_000n);
    const apps = [app, other];
    for (const { appId } of apps)
      await api.database.transact((tx) => changeRules(tx, appId, { maxValue: null, maxDayValue: null }));
    const of = (payer: TestApp, amount: string, key: string) => {
      const request = { currency_id: 1001, amount, to_address: TO };
      return callNamed(api, key, request, payer, (++calls % 200) - 100);
    };
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, n) => of(apps[n % 2]!, '100', `at-once-${n}`)),
    );
    const codes = asked.map(({ code }) => code);
    expect([codes.filter((code) => code === 0).length, new Set(codes)]).toEqual([10, new Set([0, 10002])]);
    const refusals = [await of(app, '300.000001', 'large'), await of(other, '1', 'one-more')];
    expect(refusals.map(({ msg }) => msg)).toEqual([
      expect.stringContaining('limit of 300 USD for one payout that the operator set for the merchant'),
      expect.stringContaining('24 hours of all apps over the limit of 1000 USD that the operator set'),
    ]);
    await limit({ payoutMaxValue: null, payoutMaxDayValue: null });
    expect((await of(app, '1', 'free')).code).toBe(0);
  });

  it('keep to the address list once an address has cooled', async () => {
    const nowMs = api.world.nowMs();
    const add = { family: 'evm', address: TO.toLowerCase(), label: 'cold', addedBy: 'ann', addedAtMs: nowMs };
    await api.database.transact(async (tx) => {
      await changeRules(tx, app.appId, { isAddressListOn: true, coolingS: 3_600 });
    });
    expect((await ask()).msg).toContain('is not on the address list');
    await api.database.transact((tx) => changeAddressList(tx, app.appId, { add }));
    expect((await ask()).msg).toContain('it can be used in 3600 s');
    expect(await books()).toEqual(untouched);
    api.world.advance(3_600_000);
    expect((await ask()).code).toBe(0);
    expect((await ask({ to_address: TO.replace('5', '6').toLowerCase() })).code).toBe(10003);
  });

  it('ask for a one-time code: each works once, one of parallel calls gets it, five wrong ones lock', async () => {
    const { setupUrl, sealed } = api.deps.oneTimeCodes.create(app.appId);
    await api.database.transact((tx) => setCodeSecret(tx, app.appId, sealed));
    const totp = URI.parse(setupUrl) as TOTP;
    const codeAt = (ms: number) => totp.generate({ timestamp: ms });
    const nowMs = api.world.nowMs();
    expect((await ask()).msg).toBe('otp_code is required for this app');
    const right = { amount: '1', otp_code: codeAt(nowMs) };
    const raced = await Promise.all(Array.from({ length: 4 }, () => ask(right)));
    expect(raced.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 10003, 10003, 10003]);
    const valid = [-30_000, 0, 30_000].map((ms) => codeAt(nowMs + ms));
    const wrong = {
      otp_code: ['000000', '111111', '222222', '333333'].find((code) => !valid.includes(code)),
    };
    expect((await ask(wrong)).code).toBe(10003);
    const fifth = await ask(wrong);
    expect([fifth.code, fifth.headers['retry-after']]).toEqual([20009, '900']);
    expect((await ask({ otp_code: codeAt(nowMs + 30_000) })).code).toBe(20009);
    expect((await books())[1]).toBe(1);
    api.world.advance(900_000);
    expect((await ask({ otp_code: codeAt(api.world.nowMs()) })).code).toBe(0);
    expect(JSON.stringify(api.logs)).not.toContain(right.otp_code);
  });
});

it('quotes the network fee in the token at the rates of now, rounded up to what people are shown', async () => {
  const expected = amountOf(1000, 123_456_789_012_345n);
  estimate = () => Promise.resolve({ outcome: 'possible', expected, most: expected });
  expect((await ask({ amount: '10' })).data).toMatchObject({ cost: '0.503', actual_receipt: '10' });
  // hits mark: energy-is-no-discount
  const [none, unaided] = [amountOf(1000, 0n), { expected, most: expected }];
  estimate = () => Promise.resolve({ outcome: 'possible', expected: none, most: none, unaided });
  expect((await ask({ amount: '11' })).data).toMatchObject({ cost: '0.5033', actual_receipt: '11' });
});
