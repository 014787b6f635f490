// Orders priced by the market, from the sources' sockets to the row: the evidence kept is what was used.
import { fiatNames } from '@ducat/contract/fields/fiat-names';
import { formatDecimal } from '@ducat/core/money/decimal';
import { medianOf } from '@ducat/core/money/consensus';
import type { Evidence } from '@ducat/core/money/reading';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { RateObservation } from '../../rates/market.ts';
import { openMarket } from '../../rates/open-market.ts';
import { coingeckoAnswer, coinPrices } from '@ducat/testkit/rates/answers';
import { hurried } from '@ducat/testkit/rates/hurried';
import { healthySpeech, type PriceServer, startPriceServer } from '@ducat/testkit/rates/price-server';
import { findOrder, type OrderDetail } from '../../db/tables/orders/orders.ts';
import { readQuoteEvidence } from '../../db/tables/orders/quote-evidence.ts';
import { createHandClock, type HandClock } from '@ducat/testkit/hand-clock';
import { databaseState } from '@ducat/testkit/api/database-state';
import { NOW, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';

const path = '/api/order/create';
const priced = { currency_id: 1000, fiat_name: 'EUR', fiat_amount: '100' };
/** The sources' clock; the one of the requests is the API's own. */
let clock: HandClock;
let server: PriceServer;
let api: TestApi;
const stop = new AbortController();
let running: Promise<void>;
let seen: RateObservation[] = [];

beforeAll(async () => {
  clock = createHandClock(NOW * 1000);
  server = await startPriceServer(() => Math.floor(clock.nowMs() / 1000));
  server.say('kraken', () => ({ status: 503, body: '' }));
  const absurd = { ...coinPrices, ETH: '7.5' };
  server.say('coingecko', () => ({ body: coingeckoAnswer(NOW, absurd) }));
  server.say('okx', healthySpeech(() => NOW - 3_600).okx);
  const market = openMarket(
    {
      maxAgeSeconds: 120,
      maxFiatAgeHours: 48,
      minSources: 2,
      singleSource: [],
      maxSpreadBasisPoints: 200,
      sources: server.sources,
      coingeckoKey: null,
    },
    {
      coins: ['ETH'],
      fiats: fiatNames.filter((name) => name !== 'USD' && name !== 'USDT'),
      world: hurried(clock, false),
      fetch: globalThis.fetch,
      observer: { onRateAnswer: (observation) => void seen.push(observation) },
    },
  );
  api = await startTestApi(inject('postgresAdminUrl'), { rates: market });
  running = market.run(stop.signal);
  await vi.waitFor(() => expect(new Set(seen.map(({ source }) => source)).size).toBe(9), 20_000);
});
afterEach(() => {
  seen = [];
});
afterAll(async () => {
  stop.abort();
  await api.close();
  await server.close();
  await running;
});

async function orderOf(tradeNo: unknown): Promise<OrderDetail> {
  const order = await findOrder(api.database.reader, api.payment.appId, String(tradeNo));
  if (order === null) throw new Error('the order is gone');
  return order;
}

/** The price that the evidence gives when it is worked out again, in units of 10^-18. */
function recomputed(evidence: readonly Evidence[]): bigint {
  const one = 10n ** 18n;
  const young = evidence.filter(({ verdict }) => verdict === 'used' || verdict === 'far');
  const tether = medianOf(young.filter(({ base }) => base === 'USDT').map(({ priceUnits }) => priceUnits));
  const coin = young
    .filter(({ base }) => base === 'ETH')
    .map(({ quote, priceUnits }) => (quote === 'USDT' ? (priceUnits * tether) / one : priceUnits));
  const perDollar = medianOf(young.filter(({ base }) => base === 'USD').map(({ priceUnits }) => priceUnits));
  return (medianOf(coin) * perDollar) / one;
}

describe('with one source dead, one absurd and one stale', () => {
  it('prices the order right, and keeps what it used', async () => {
    const created = await api.call(path, { out_trade_no: 'right', ...priced });
    expect(created.code).toBe(0);
    const { quote } = await orderOf(created.data['trade_no']);
    expect(quote).toMatchObject({ source: 'market median', at: NOW, rate: { fiat: 'EUR' } });
    const evidence = (await readQuoteEvidence(api.database.reader, String(created.data['trade_no']))) ?? [];
    expect(evidence.map((item) => `${item.source} ${item.base}/${item.quote} ${item.verdict}`)).toEqual([
      'binance ETH/USDT used',
      'coinbase ETH/USD used',
      'coingecko ETH/USD far',
      'okx ETH/USD old',
      'coinbase USDT/USD used',
      'coingecko USDT/USD used',
      'okx USDT/USD old',
      'currency_api USD/EUR used',
      'ecb USD/EUR used',
      'er_api USD/EUR used',
      'floatrates USD/EUR used',
    ]);
    expect(quote?.rate.priceUnits).toBe(recomputed(evidence));
    // Binance's 4000.5 USDT at 0.9998 dollars lie between Coinbase's 4000.5 and CoinGecko's 7.5; a dollar is 0.8 euros.
    expect(formatDecimal(quote?.rate.priceUnits ?? 0n, 18)).toBe('3199.75992');
    // 100 / 3199.75992, rounded up at eight digits.
    expect(created.data['amount']).toBe('0.03125235');
  });

  it('answers the same rate on order/exchange-rates, and a balance in USDT', async () => {
    const quoted = await api.call('/api/order/exchange-rates', priced);
    expect(quoted.data).toEqual({ amount: '0.03125235', exchange_rate: '3199.75992' });
    await api.database.transact((tx) =>
      tx.write(
        "INSERT INTO accounts (kind, owner, currency_id, balance) VALUES ('available', $1, 1000, 10::numeric ^ 18)",
        [api.payment.appId],
      ),
    );
    const balance = await api.call('/api/account/balance', { currency_id: 1000 });
    expect(balance.data['balance_usdt']).toBe('4000.5');
  });
});

describe('with too few good sources', () => {
  it('answers 10002 with the reason, writes nothing, and still takes prices in tokens', async () => {
    const before = await databaseState(api.database.reader);
    for (const { name } of server.sources) server.say(name, () => ({ status: 503, body: '' }));
    clock.advance(121_000);
    const refused = await api.call(path, { out_trade_no: 'few', ...priced });
    expect([refused.status, refused.code]).toEqual([200, 10002]);
    expect(refused.msg).toContain('sources');
    expect(refused.msg).toContain('a usable price of ETH in USD, 2 are needed');
    expect(refused.msg).toMatch(/coinbase is 121 s old/);
    expect(await databaseState(api.database.reader)).toEqual(before);
    const inTokens = await api.call(path, { out_trade_no: 'tokens', currency_id: 1000, token_amount: '1' });
    expect(inTokens.code).toBe(0);
    expect((await orderOf(inTokens.data['trade_no'])).quote).toBeNull();
  });

  it('replays an order that was priced before', async () => {
    const again = await api.call(path, { out_trade_no: 'right', ...priced });
    expect([again.code, again.data['amount']]).toEqual([0, '0.03125235']);
  });

  it('finds nothing damaged in an order priced in tokens with a fiat label', async () => {
    const labelled = {
      currency_id: priced.currency_id,
      token_amount: '1',
      fiat_name: 'EUR',
      fiat_amount: '7',
    };
    const { data } = await api.call(path, { out_trade_no: 'labelled', ...labelled });
    const tradeNo = String(data['trade_no']);
    expect((await api.call('/api/order/detail', { trade_no: tradeNo })).code).toBe(0);
    expect(api.logs).not.toContainEqual({ trade_no: tradeNo });
  });

  it('shows an order whose quote was damaged, and says so in the log', async () => {
    const { data } = await api.call(path, { out_trade_no: 'right', ...priced });
    const tradeNo = String(data['trade_no']);
    const damage = 'UPDATE orders SET quote = $2::jsonb WHERE trade_no = $1';
    await api.database.transact((tx) => tx.write(damage, [tradeNo, '{"fiat":"EUR","priceUnits":"?"}']));
    const shown = await api.call('/api/order/detail', { trade_no: tradeNo });
    expect([shown.code, shown.data['amount'], shown.data['fiat_amount']]).toEqual([0, '0.03125235', '100']);
    expect((await orderOf(tradeNo)).quote).toBeNull();
    expect(api.logs).toContainEqual({ trade_no: tradeNo });
    expect((await api.call(path, { out_trade_no: 'right', ...priced })).data).toEqual(data);
  });
});
