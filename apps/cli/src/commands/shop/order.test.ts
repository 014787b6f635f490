// ducat order show beside a gateway that asks price sources over HTTP: one dead, one absurd, one stale; and too few.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { binanceAnswer, coingeckoAnswer, coinPrices } from '@ducat/testkit/rates/answers';
import { healthySpeech, type PriceServer, startPriceServer } from '@ducat/testkit/rates/price-server';
import type {} from '@ducat/testkit/global-setup';
import { masterSecret } from '@ducat/testkit/system/open-shop';
import type { Shop } from '@ducat/testkit/system/shop';
import { startSystem, type System } from '@ducat/testkit/system/system';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { orderCommand } from './order.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-order-'));
const now = () => Math.floor(Date.now() / 1000);
const { BNB: _unknownThere, ...withoutBnb } = coinPrices;
const warnings: string[] = [];
let prices: PriceServer;
let system: System;
let shop: Shop;

const onWarning = ({ name }: Error) => void warnings.push(name);

beforeAll(async () => {
  process.on('warning', onWarning);
  prices = await startPriceServer(now);
  const healthy = healthySpeech(now);
  prices.say('kraken', () => ({ status: 503, body: 'gone' }));
  prices.say('coingecko', () => ({ body: coingeckoAnswer(now(), { ...coinPrices, ETH: '7.5' }) }));
  prices.say('okx', healthySpeech(() => now() - 3_600).okx);
  prices.say('binance', () => ({ body: binanceAnswer(now(), withoutBnb) }));
  prices.say('coinbase', (path) =>
    path.includes('BNB') ? { status: 404, body: '{}' } : healthy.coinbase(path),
  );
  system = await startSystem(inject('postgresAdminUrl'), {
    rates: {
      source: 'market',
      maxAgeSeconds: 600,
      maxFiatAgeHours: 96,
      minSources: 2,
      singleSource: [],
      maxSpreadBasisPoints: 200,
      sources: prices.sources,
      coingeckoKey: null,
    },
  });
  shop = await system.newShop();
  writeFileSync(join(folder, 'key'), shop.appKey);
  writeFileSync(join(folder, 'ducat.toml'), 'demo = true\n');
  await waitUntil('every source to answer', everySourceHasAnswered, { timeoutMs: 30_000, everyMs: 50 });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  process.off('warning', onWarning);
  await system?.close();
  await prices?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function everySourceHasAnswered(): Promise<boolean> {
  const text = await (await fetch(`${system.operationsUrl()}/metrics`)).text();
  const answered = [...text.matchAll(/^ducat_rate_answers_total\{.*source="(\w+)".*\} [1-9]/gm)];
  return new Set(answered.map(([, source]) => source)).size === prices.sources.length;
}

const withConfig = ['--config', join(folder, 'ducat.toml')] as const;

/** Runs `order show`, and gives what it printed. */
async function show(tradeNo: string, ...args: readonly string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', system.database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', Buffer.from(masterSecret).toString('hex'));
  vi.stubEnv('NO_COLOR', '1');
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const app = ['--base-url', system.apiUrl(), '--app-id', shop.appId, '--app-key-file', join(folder, 'key')];
  await orderCommand().parseAsync(['show', tradeNo, ...app, ...args], { from: 'user' });
  vi.restoreAllMocks();
  return output;
}

describe('with one source dead, one absurd and one stale', () => {
  it('the order is priced right, and ducat order show says by whom, from the books', async () => {
    const fiat = { fiat_name: 'USD', fiat_amount: '400' } as const;
    const order = await shop.order(system.eth.ids.coin, undefined, fiat);
    // The median price is 4000.5 USDT at 0.9998 dollars, between 4000.5 and 7.5 dollars: 400 / 3999.6999, rounded up at
    // eight digits.
    expect(order.amount).toBe('0.10000751');

    const text = await show(order.trade_no, ...withConfig);
    expect(text).toContain('Order TO-BE-PAID');
    expect(text).toContain('Rate 1 ETH = 3999.6999 USD');
    expect(text).toMatch(/^ {4}binance +4000\.5 USDT .* used$/m);
    expect(text).toMatch(/^ {4}coinbase +4000\.5 USD .* used$/m);
    expect(text).toMatch(/^ {4}coingecko +7\.5 USD .* outvoted, far off$/m);
    expect(text).toMatch(/^ {4}okx +4000\.5 USD .* left out, too old$/m);
    expect(text).not.toContain('kraken');
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);

    const json = JSON.parse(await show(order.trade_no, ...withConfig, '--json'));
    expect(json).toMatchObject({
      trade_no: order.trade_no,
      rate: {
        price: '3999.6999',
        demo: false,
        medians: [{ base: 'ETH' }, { base: 'USDT', price: '0.9998' }],
      },
    });
  });

  it('without the configuration it says where the rate is; an order in tokens has none', async () => {
    const fiat = { fiat_name: 'EUR', fiat_amount: '10' } as const;
    const order = await shop.order(system.eth.ids.usdt, undefined, fiat);
    expect(await show(order.trade_no)).toContain("in the gateway's books, which --config <file> opens");
    expect(JSON.parse(await show(order.trade_no, '--json'))).not.toHaveProperty('rate');
    const inTokens = await shop.order(system.eth.ids.usdt, '10');
    expect(await show(inTokens.trade_no, ...withConfig)).not.toContain('ate');
    expect(JSON.parse(await show(inTokens.trade_no, ...withConfig, '--json'))).toMatchObject({ rate: null });
  });
});

describe('a gateway with every source on', () => {
  it('does not make Node warn of a leak that is none', () => {
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });
});

describe('with too few good sources', () => {
  it('order/create answers 10002 and says which are missing', async () => {
    const request = { out_trade_no: 'few', currency_id: system.bsc.ids.coin } as const;
    const fiat = { fiat_name: 'USD', fiat_amount: '10' } as const;
    const refusal = await shop.refusalOf('create-order', { ...request, ...fiat });
    expect(refusal.code).toBe(10002);
    expect(refusal.msg).toMatch(
      /^1 of 2 sources has a usable price of BNB in USD, 2 are needed \(okx is 36\d\d s old; at most 600 s\)$/,
    );
    // The tokens' own number needs no rate.
    expect(await shop.call('create-order', { ...request, token_amount: '1' })).toMatchObject({ amount: '1' });
  });
});
