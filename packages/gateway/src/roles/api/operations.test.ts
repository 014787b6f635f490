// What each operation answers when all is well: the contract's shapes, the database's facts.
import { type EndpointName, endpoints } from '@ducat/contract/endpoints/registry';
import { successSchema } from '@ducat/contract/envelope';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { eth } from '@ducat/core/chain/definitions/eth';
import Schema from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { evmAddressScheme } from '../../chains/evm/address.ts';
import { createCatalogue } from './catalogue.ts';
import { keyThatSigned, sign } from './auth/sign.ts';
import { fixedNetworkFees, fundApp } from '@ducat/testkit/api/paying-out';
import {
  isSignedBy,
  NOW,
  startTestApi,
  type Answered,
  type TestApi,
  type TestApp,
} from '@ducat/testkit/api/test-api';

const isCurrencyOn = () => true;

let api: TestApi;
let created: Answered;
let paidOut: Answered;
let qrApp: TestApp;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'), { networkFees: fixedNetworkFees([eth], 10n ** 14n) });
  await fundApp(api.database, api.payment.appId, 1001, 100_000_000n);
  const payout = { currency_id: 1001, amount: '2', to_address: `0x${'ab'.repeat(20)}` };
  paidOut = await api.call('/api/payout/create', payout);
  qrApp = await api.addApp('QR_CODE');
  created = await api.call('/api/order/create', {
    out_trade_no: 'shop-1',
    currency_id: 1001,
    fiat_name: 'EUR',
    fiat_amount: '12.50',
    redirect_url: 'https://shop.test/thanks',
  });
});
afterAll(() => api.close());

describe('every operation', () => {
  const requests: Readonly<Record<EndpointName, () => object>> = {
    'create-order': () => ({ out_trade_no: 'shape', currency_id: 1000, token_amount: '0.5' }),
    'pre-create': () => ({ out_trade_no: 'hosted', fiat_name: 'EUR', fiat_amount: '23.40' }),
    'order-detail': () => ({ trade_no: created.data['trade_no'] }),
    'exchange-rates': () => ({ currency_id: 2000, fiat_name: 'JPY', fiat_amount: '1000' }),
    'token-list': () => ({}),
    'app-token-list': () => ({}),
    'account-balance': () => ({ currency_id: 1001 }),
    'create-payout': () => ({ currency_id: 1001, amount: '1', to_address: `0x${'ab'.repeat(20)}` }),
    'payout-detail': () => ({ trade_no: paidOut.data['trade_no'] }),
    'create-qr-code': () => ({ name: 'Counter 3', currency_id: 1001 }),
  };

  it.each(Object.entries(endpoints))(
    '%s answers in the shape of the contract, signed, on both paths',
    async (name, endpoint) => {
      // The cast restates that the registry's keys are its names.
      const request = requests[name as EndpointName]();
      const app = endpoint.appKind === 'QR_CODE' ? qrApp : api.payment;
      const current = await api.call(endpoint.path, request, app);
      expect(current.code).toBe(0);
      expect(Schema.Check(successSchema(endpoint.data), JSON.parse(current.raw))).toBe(true);
      expect(isSignedBy(current, app)).toBe(true);
      const old =
        'currency_id' in request ? { ...request, currency_id: String(request.currency_id) } : request;
      const legacy = await api.call(endpoint.legacyPath, old, app);
      expect(legacy.code).toBe(0);
      expect(Schema.Check(successSchema(endpoint.legacyData), JSON.parse(legacy.raw))).toBe(true);
      expect(isSignedBy(legacy, app)).toBe(true);
    },
  );

  it('takes an empty body only where the contract says so', async () => {
    for (const endpoint of Object.values(endpoints)) {
      const app = endpoint.appKind === 'QR_CODE' ? qrApp : api.payment;
      const answer = await api.call(endpoint.path, '', app);
      expect([endpoint.name, answer.code]).toEqual([endpoint.name, endpoint.allowsEmptyBody ? 0 : 10003]);
    }
  });
});

describe('order/create', () => {
  it('answers what the payer needs: 12.50 EUR at 0.9 EUR for one USDT, rounded up to cents', () => {
    expect(created.data).toMatchObject({
      chain: 'ETH',
      token: 'USDT',
      contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      amount: '13.89',
      mode: 'NATIVE',
      decimal: 6,
      chain_id: 1,
      equity: 0,
      create_time: NOW,
      time_expire: NOW + 1800,
      amount_collected: '0',
      need_confirms: 12,
      already_confirms: 0,
      entrust_url: `https://pay.test/${String(created.data['trade_no'])}`,
    });
    expect(created.data['trade_no']).toMatch(/^ord_[0-9a-hjkmnp-tv-z]{30}$/);
    expect(Object.keys(created.data)).toEqual(Object.keys(endpoints['create-order'].exampleData));
  });

  it('shows a fresh address in EIP-55 that comes from the app’s own public key', async () => {
    const [row] = await api.database.reader.read<{ key: string; index: number }>(
      `SELECT k.account_public_key AS key, d.derivation_index AS index FROM addresses d
       JOIN account_keys k USING (app_id, family) WHERE d.trade_no = $1`,
      [String(created.data['trade_no'])],
    );
    const derived = evmAddressScheme.derive(row?.key ?? '', row?.index ?? -1);
    expect(created.data['pay_address']).toBe(evmAddressScheme.display(derived));
  });

  it('describes the chain: the transfer function for a token, nothing for a native currency', async () => {
    const info = (answer: Answered) => answer.data['chain_info'] as Record<string, unknown>;
    expect(info(created)).toMatchObject({ token: 'ETH', decimal: 18, series: 'ETH', monitor_chain_id: 1 });
    expect(JSON.parse(String(info(created)['abi']))[0].name).toBe('transfer');
    const main = await api.call('/api/order/create', {
      out_trade_no: 'main',
      currency_id: 1000,
      token_amount: '1',
    });
    expect([info(main)['abi'], main.data['contract']]).toEqual(['', 'ETH']);
  });

  it('shows the explorer and the public node of the chain, and "" where there is none to show', async () => {
    const shown = async (currencyId: number, on: TestApi = api) => {
      const body = { out_trade_no: `info-${currencyId}`, currency_id: currencyId, token_amount: '1' };
      const { rpc, browser_url } = (await on.call('/api/order/create', body)).data['chain_info'] as Record<
        string,
        unknown
      >;
      return { rpc, browser_url };
    };
    expect(await shown(1001)).toEqual({ rpc: '', browser_url: 'https://etherscan.io' });
    expect(await shown(2001)).toEqual({ rpc: '', browser_url: 'https://bscscan.com' });
    const published = await startTestApi(inject('postgresAdminUrl'), {
      catalogue: createCatalogue([
        { definition: { ...eth, publicRpcUrl: 'https://rpc.test', explorerUrl: '' }, on: true, isCurrencyOn },
      ]),
    });
    try {
      expect(await shown(1001, published)).toEqual({ rpc: 'https://rpc.test', browser_url: '' });
    } finally {
      await published.close();
    }
  });

  it('names the network as people know it, for each chain', async () => {
    const every = await startTestApi(inject('postgresAdminUrl'), {
      catalogue: createCatalogue(
        chainDefinitions.map((definition) => ({ definition, on: true, isCurrencyOn })),
      ),
    });
    try {
      const { data } = await every.call('/api/currency/token-list', {});
      const listed = data as unknown as readonly { chain: string; network: string }[];
      const networks = new Map(listed.map(({ chain, network }) => [chain, network]));
      expect(Object.fromEntries(networks)).toEqual({
        ETH: 'ERC20',
        BSC: 'BEP20',
        Tron: 'TRC20',
        WKC: 'WKC20',
      });
      expect((await every.call('/api/account/balance', { currency_id: 2000 })).data).toMatchObject({
        network: 'BEP20',
      });
    } finally {
      await every.close();
    }
  });
});

describe('order/detail', () => {
  it('shows the order as it stands', async () => {
    const detail = await api.call('/api/order/detail', { trade_no: created.data['trade_no'] });
    const { out_trade_no, fiat_name, fiat_amount, status, redirect_url, ...rest } = detail.data;
    expect({ out_trade_no, fiat_name, fiat_amount, status, redirect_url }).toEqual({
      out_trade_no: 'shop-1',
      fiat_name: 'EUR',
      fiat_amount: '12.50',
      status: 'TO-BE-PAID',
      redirect_url: 'https://shop.test/thanks',
    });
    expect(rest).toEqual(created.data);
    expect(Object.keys(detail.data)).toEqual(Object.keys(endpoints['order-detail'].exampleData));
  });

  it('counts confirmations of the newest transfer under the head, and collected money once it is final', async () => {
    const order = await api.call('/api/order/create', {
      out_trade_no: 'seen',
      currency_id: 1001,
      token_amount: '5',
    });
    const tradeNo = String(order.data['trade_no']);
    const detail = () => api.call('/api/order/detail', { trade_no: tradeNo });
    await api.database.transact((tx) =>
      tx.write(
        `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
           block_number, block_hash, block_time, state, address_id, app_id, trade_no)
         SELECT 'ETH', '0xtx' || block, 'log:0', 0, 1001, '0xfrom', address, 5000000, block, '0xb',
           $2::bigint + seconds, 'seen', address_id, app_id, $1
         FROM orders, (VALUES (997, 0), (999, 1801)) AS t (block, seconds) WHERE trade_no = $1`,
        [tradeNo, NOW],
      ),
    );
    // What comes after the expiry counts for nothing here.
    expect((await detail()).data).toMatchObject({
      already_confirms: 4,
      amount_collected: '0',
      status: 'TO-BE-PAID',
    });
    await api.database.transact((tx) =>
      tx.write("UPDATE orders SET collected = 5000000, status = 'PAID' WHERE trade_no = $1", [tradeNo]),
    );
    await api.database.transact((tx) =>
      tx.write('UPDATE transfers SET block_number = 1000 WHERE trade_no = $1', [tradeNo]),
    );
    // Nor does what comes on top take back a confirmation.
    expect((await detail()).data).toMatchObject({
      already_confirms: 12,
      amount_collected: '5',
      status: 'PAID',
      entrust_url: '',
    });
  });
});

describe('rates, tokens, balances', () => {
  it('quotes a fiat sum, rounded up, with the price of one token', async () => {
    const quote = { currency_id: 1000, fiat_name: 'USD', fiat_amount: '0.00001' };
    expect((await api.call('/api/order/exchange-rates', quote)).data).toEqual({
      amount: '0.00000001',
      exchange_rate: '4000',
    });
  });

  it('lists what the gateway offers, and for the app what it takes', async () => {
    const ids = (answer: Answered) =>
      (answer.data as unknown as { currency_id: unknown }[]).map((token) => token.currency_id);
    const all = ids(await api.call('/api/currency/token-list', {}));
    expect(all).toContain(1001);
    expect(all).not.toContain(1002);
    expect(all).not.toContain(4000);
    await api.database.transact((tx) =>
      tx.write('INSERT INTO app_currencies_off VALUES ($1, 2000)', [api.payment.appId]),
    );
    const taken = ids(await api.call('/api/currency/app-token-list', {}));
    expect(taken).toEqual(all.filter((id) => id !== 2000));
    expect(ids(await api.call('/v1/currency/token-list', {}))).toEqual(all.map(String));
  });

  it('shows a balance with its frozen part and its worth, also of a currency that is off', async () => {
    await api.database.transact(async (tx) => {
      await tx.write(
        `INSERT INTO accounts (kind, owner, currency_id, balance) VALUES
           ('available', $1, 1000, 1500000000000000001), ('unassigned', $1, 1000, 500000000000000000),
           ('available', $1, 1002, 7000000)`,
        [api.payment.appId],
      );
    });
    const ether = await api.call('/api/account/balance', { currency_id: 1000 });
    expect(ether.data).toMatchObject({
      balance: '2.000000000000000001',
      operable_balance: '1.500000000000000001',
      balance_usdt: '8000',
      operable_balance_usdt: '6000',
      network: 'ERC20',
      contract: 'ETH',
    });
    expect((await api.call('/api/account/balance', { currency_id: 1002 })).data).toMatchObject({
      balance: '7',
    });
    const stranger = await api.addApp();
    expect((await api.call('/api/account/balance', { currency_id: 1000 }, stranger)).data).toMatchObject({
      balance: '0',
    });
    expect((await api.call('/api/account/balance', { currency_id: 1 })).msg).toContain('currency_id');
  });
});

describe('the worth of a balance in USDT', () => {
  it.each([
    ['a token that merely calls itself USDT', { symbol: 'USDT', rateAsset: null }, '0'],
    ['USDT under another name', { symbol: 'USDT0', rateAsset: 'USDT' }, '5'],
  ])('goes by what it is priced as: %s', async (_, named, worth) => {
    const [coin] = eth.currencies;
    const own = { ...coin!, ...named, currencyId: 1900, contract: `0x${'ab'.repeat(20)}`, decimals: 6 };
    const definition = { ...eth, currencies: [coin!, own] };
    const other = await startTestApi(inject('postgresAdminUrl'), {
      catalogue: createCatalogue([{ definition, on: true, isCurrencyOn }]),
    });
    try {
      await other.database.transact((tx) =>
        tx.write(
          "INSERT INTO accounts (kind, owner, currency_id, balance) VALUES ('available', $1, 1900, 5000000)",
          [other.payment.appId],
        ),
      );
      expect((await other.call('/api/account/balance', { currency_id: 1900 })).data).toMatchObject({
        balance: '5',
        balance_usdt: worth,
        operable_balance_usdt: worth,
      });
    } finally {
      await other.close();
    }
  });
});

describe('G9: the published vectors', () => {
  it.each(signatureVectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    const body = Buffer.from(vector.body);
    expect(sign(body, vector.timestamp, vector.appKey)).toBe(vector.signature);
    expect(keyThatSigned(body, vector.timestamp, vector.signature, ['other', vector.appKey])).toBe(
      vector.appKey,
    );
    expect(keyThatSigned(body, vector.timestamp, vector.signature, ['other'])).toBe(null);
  });
});
