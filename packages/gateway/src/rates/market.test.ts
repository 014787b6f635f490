// The market's rates over real sockets: sources die, lie, lag and come back, and the quote stays right or is refused.
import { fiatNames } from '@ducat/contract/fields/fiat-names';
import { formatDecimal } from '@ducat/core/money/decimal';
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Quote } from '@ducat/core/money/rate';
import type { Result } from '@ducat/core/result';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHandClock, type HandClock } from '@ducat/testkit/hand-clock';
import { unixTime } from '../runtime/world.ts';
import type { MarketRates, RateObservation } from './market.ts';
import { type MarketSettings, openMarket } from './open-market.ts';
import { type PriceSourceName, priceSources } from './price-sources.ts';
import {
  binanceAnswer,
  coingeckoAnswer,
  coinPrices,
  krakenAnswer,
  okxAnswer,
} from '@ducat/testkit/rates/answers';
import { hurried } from '@ducat/testkit/rates/hurried';
import { healthySpeech, type PriceServer, startPriceServer } from '@ducat/testkit/rates/price-server';

/** Friday, 20 November 2026, 12:00 in UTC. */
const NOON = 1_795_176_000;
const ether = { ...eth.currencies[0]!, symbol: 'ETH' };
const coin = (symbol: string) => ({ ...ether, symbol });

let clock: HandClock;
let server: PriceServer;
let stop: AbortController;
let running: Promise<void>;
let seen: RateObservation[];
beforeEach(async () => {
  clock = createHandClock(NOON * 1000);
  server = await startPriceServer(() => unixTime(clock));
  stop = new AbortController();
  running = Promise.resolve();
  seen = [];
});
afterEach(async () => {
  stop.abort();
  await server.close();
  await running;
});

function start(change: Partial<MarketSettings> = {}): MarketRates {
  const settings = {
    maxAgeSeconds: 120,
    maxFiatAgeHours: 48,
    minSources: 2,
    singleSource: [],
    maxSpreadBasisPoints: 200,
    sources: server.sources,
    coingeckoKey: null,
    ...change,
  };
  const market = openMarket(settings, {
    coins: ['ETH', 'BNB', 'TRX', 'USDC', 'WKC'],
    fiats: fiatNames.filter((name) => name !== 'USD' && name !== 'USDT'),
    world: hurried(clock, false),
    fetch: globalThis.fetch,
    observer: { onRateAnswer: (observation) => void seen.push(observation) },
  });
  running = market.run(stop.signal);
  return market;
}

/** Waits until each of these sources has answered `times` times. */
async function answered(times: number, names: readonly string[] = server.sources.map(({ name }) => name)) {
  await expect
    .poll(() => names.filter((name) => seen.filter(({ source }) => source === name).length < times), {
      timeout: 20_000,
    })
    .toEqual([]);
}

/** Lets `seconds` pass and every source that is due by then answer. */
async function pass(seconds: number): Promise<void> {
  const before = seen.length;
  const due = clock.asked.length;
  clock.advance(seconds * 1000);
  await expect.poll(() => seen.length > before && clock.asked.length > due, { timeout: 20_000 }).toBe(true);
}

function outcomeOf(answer: Result<Quote>): string {
  return answer.ok ? formatDecimal(answer.value.rate.priceUnits, 18) : answer.refusal.message;
}

function verdicts(answer: Result<Quote>, base: string): Readonly<Record<string, string>> {
  const evidence = answer.ok ? answer.value.evidence : [];
  return Object.fromEntries(
    evidence.filter((item) => item.base === base).map(({ source, verdict }) => [source, verdict]),
  );
}

const dead = () => ({ status: 503, body: 'gone' });

describe('with every source in health', () => {
  it('prices ETH, BNB, TRX, USDC and USDT in all 23 fiat names', async () => {
    const market = start();
    await answered(1);
    for (const symbol of ['ETH', 'BNB', 'TRX', 'USDC', 'USDT']) {
      for (const fiat of fiatNames) {
        const answer = await market.quote(coin(symbol), fiat);
        expect(answer, `${symbol} in ${fiat}`).toMatchObject({ ok: true, value: { rate: { fiat } } });
      }
    }
    expect(outcomeOf(await market.quote(ether, 'USD'))).toBe('4000.5');
    expect(outcomeOf(await market.quote(coin('USDT'), 'USD'))).toBe('0.9998');
    expect(outcomeOf(await market.quote(coin('USDT'), 'USDT'))).toBe('1');
    // 4000.5 dollars at 150.12.
    expect(outcomeOf(await market.quote(ether, 'JPY'))).toBe('600555.06');
    expect(market.warning).toBeNull();
    expect(seen.every(({ ok, refused }) => ok && refused.length === 0)).toBe(true);
  });

  it('refuses what no source knows, and everything before the first answers', async () => {
    const market = start();
    expect(outcomeOf(await market.quote(ether, 'USD'))).toBe(
      'no source has reported the price of ETH in USD',
    );
    await answered(1);
    expect(outcomeOf(await market.quote(coin('WKC'), 'EUR'))).toBe(
      'WKC has no price in fiat: no market trades it; state a token_amount',
    );
  });

  it('asks each source at its own pace, however many quotes are made', async () => {
    const market = start();
    await answered(1);
    for (let i = 0; i < 200; i++) await market.quote(ether, 'EUR');
    const paceS = new Map(
      Object.values(priceSources).map((create) => [create().name, create().everyMs / 1000]),
    );
    for (let second = 10; second <= 120; second += 10) {
      clock.advance(10_000);
      for (const [name, everyS] of paceS) await answered(Math.floor(second / everyS) + 1, [name]);
    }
    const counts = [...paceS].map(([name]) => [name, seen.filter(({ source }) => source === name).length]);
    expect(Object.fromEntries(counts)).toEqual({
      coingecko: 3,
      binance: 7,
      kraken: 7,
      coinbase: 5,
      okx: 7,
      ecb: 1,
      er_api: 1,
      currency_api: 1,
      floatrates: 1,
    });
  });
});

describe('one dead, one absurd, one stale', () => {
  const others: readonly (readonly [PriceSourceName, PriceSourceName, PriceSourceName])[] = [
    ['kraken', 'okx', 'coingecko'],
    ['coingecko', 'binance', 'okx'],
    ['binance', 'kraken', 'okx'],
    ['okx', 'coingecko', 'kraken'],
  ];
  it.each(others)('%s, %s and %s: ETH is still right, and the evidence says why', async (gone, mad, late) => {
    const absurd = { ...coinPrices, ETH: '1.5' };
    const hourAgo = () => unixTime(clock) - 3_600;
    const date = () => new Date(unixTime(clock) * 1000).toUTCString();
    const speeches = {
      coingecko: { mad: () => ({ body: coingeckoAnswer(unixTime(clock), absurd) }) },
      binance: { mad: () => ({ body: binanceAnswer(unixTime(clock), absurd) }) },
      kraken: { mad: () => ({ body: krakenAnswer(absurd), headers: { date: date() } }) },
      okx: { mad: () => ({ body: okxAnswer(unixTime(clock), absurd) }) },
    };
    const stale = healthySpeech(hourAgo);
    server.say(gone, dead);
    server.say(mad, speeches[mad as keyof typeof speeches].mad);
    server.say(late, stale[late]);
    const market = start();
    await answered(1);
    const answer = await market.quote(ether, 'USD');
    const right = outcomeOf(answer);
    // Binance's price is in USDT, at 0.9998 dollars each.
    expect(['4000.5', '3999.6999']).toContain(right);
    expect(verdicts(answer, 'ETH')).toMatchObject({ [mad]: 'far', [late]: 'old', coinbase: 'used' });
    expect(verdicts(answer, 'ETH')[gone]).toBeUndefined();
    const healths = Object.fromEntries(seen.map(({ source, ok }) => [source, ok]));
    expect(healths).toMatchObject({ [gone]: false, [mad]: true, coinbase: true });
  });

  it('holds for fiat rates as well: the euro with the central bank dead and another source absurd', async () => {
    server.say('ecb', dead);
    server.say('er_api', () => ({
      body: '{"result":"success","base_code":"USD","time_last_update_unix":1795176000,"rates":{"EUR":9.5}}',
    }));
    const market = start();
    await answered(1);
    const answer = await market.quote(coin('USDT'), 'EUR');
    expect(verdicts(answer, 'USD')).toEqual({ er_api: 'far', currency_api: 'used', floatrates: 'used' });
    // 0.9998 dollars at 0.8.
    expect(outcomeOf(answer)).toBe('0.79984');
  });
});

describe('too few good sources', () => {
  it('refuses with the ages in the reason once prices are too old, and recovers by itself', async () => {
    const market = start();
    await answered(1);
    for (const { name } of server.sources) server.say(name, dead);
    await pass(100);
    expect((await market.quote(ether, 'USD')).ok).toBe(true);
    clock.advance(21_000);
    const reason = outcomeOf(await market.quote(ether, 'USD'));
    expect(reason).toMatch(
      /^0 of 4 sources have a usable price of ETH in USD, 2 are needed \(coinbase is 121 s old/,
    );
    expect(reason).toContain('at most 120 s');
    const healthy = healthySpeech(() => unixTime(clock));
    for (const { name } of server.sources) server.say(name, healthy[name]);
    await expect
      .poll(
        async () => {
          clock.advance(60_000);
          await new Promise((resolve) => setImmediate(resolve));
          return (await market.quote(ether, 'USD')).ok;
        },
        { timeout: 20_000 },
      )
      .toBe(true);
  });

  it('refuses when the sources disagree, and says what each of them reported', async () => {
    server.say('okx', () => ({ body: okxAnswer(unixTime(clock), { ETH: '5000' }) }));
    const market = start({ sources: server.sources.filter(({ name }) => ['okx', 'kraken'].includes(name)) });
    await answered(1, ['okx', 'kraken']);
    expect(outcomeOf(await market.quote(ether, 'USD'))).toBe(
      'the sources disagree about the price of ETH in USD by more than 2 %: kraken 4000.5, okx 5000',
    );
  });

  it('asks a dead source less and less often', async () => {
    server.say('kraken', dead);
    start({ sources: server.sources.filter(({ name }) => name === 'kraken') });
    await answered(1, ['kraken']);
    for (const seconds of [20, 40, 80, 160, 320, 600, 600]) await pass(seconds);
    const pauses = clock.asked.filter((ms) => ms !== 10_000);
    expect(pauses.map((ms) => ms / 1000)).toEqual([20, 40, 80, 160, 320, 600, 600, 600]);
    expect(seen.every(({ ok, reason }) => !ok && reason === 'answered HTTP 503')).toBe(true);
  });
});

describe('a stablecoin that lost its peg', () => {
  it('costs what the market pays', async () => {
    const prices = { ...coinPrices, USDT: '0.97', ETH: '4000' };
    const at = () => unixTime(clock);
    server.say('coingecko', () => ({ body: coingeckoAnswer(at(), prices) }));
    server.say('okx', () => ({ body: okxAnswer(at(), prices) }));
    server.say('kraken', () => ({
      body: krakenAnswer(prices),
      headers: { date: new Date(at() * 1000).toUTCString() },
    }));
    server.say('binance', () => ({ body: binanceAnswer(at(), { ...prices, ETH: '4123.711340206185567' }) }));
    const market = start({ sources: server.sources.filter(({ name }) => name !== 'coinbase') });
    await answered(1, ['coingecko', 'okx', 'kraken', 'binance']);
    expect(outcomeOf(await market.quote(coin('USDT'), 'USD'))).toBe('0.97');
    const answer = await market.quote(ether, 'USD');
    expect(outcomeOf(answer)).toBe('4000');
    expect(verdicts(answer, 'ETH')).toMatchObject({ binance: 'used' });
  });
});

describe('one source', () => {
  it('counts by what it said last, at the time that it gave', async () => {
    const market = start({ minSources: 1, sources: server.sources.filter(({ name }) => name === 'okx') });
    await answered(1, ['okx']);
    server.say('okx', () => ({ body: okxAnswer(NOON - 60, { ETH: '4100' }) }));
    await pass(20);
    await answered(2, ['okx']);
    const answer = await market.quote(ether, 'USD');
    expect([outcomeOf(answer), answer.ok && answer.value.at]).toEqual(['4100', NOON - 60]);
  });

  it('is not muted by one answer with a time in the future', async () => {
    const market = start({ minSources: 1, sources: server.sources.filter(({ name }) => name === 'okx') });
    await answered(1, ['okx']);
    server.say('okx', () => ({ body: okxAnswer(NOON + 86_400, { ETH: '9' }) }));
    await pass(20);
    await answered(2, ['okx']);
    expect(seen[1]).toMatchObject({
      ok: false,
      reason: 'ETH in USD: its time is 86380 s ahead of the clock',
    });
    expect(outcomeOf(await market.quote(ether, 'USD'))).toBe('4000.5');
    server.say('okx', () => ({ body: okxAnswer(unixTime(clock), { ETH: '4002' }) }));
    await pass(20);
    await answered(3, ['okx']);
    expect(outcomeOf(await market.quote(ether, 'USD'))).toBe('4002');
    expect(seen[2]?.newestAt).toBe(NOON + 40);
  });

  it('that reports nonsense about one coin is refused for that coin alone, by name', async () => {
    server.say('okx', () => ({ body: okxAnswer(unixTime(clock), { ...coinPrices, ETH: '-4000.5' }) }));
    const market = start({ minSources: 1, sources: server.sources.filter(({ name }) => name === 'okx') });
    await answered(1, ['okx']);
    expect(seen[0]).toMatchObject({ ok: true, refused: ['ETH in USD: the price "-4000.5" is no price'] });
    expect((await market.quote(ether, 'USD')).ok).toBe(false);
    expect(outcomeOf(await market.quote(coin('BNB'), 'USD'))).toBe('900.25');
  });

  it('that never answers does not hold up the end', async () => {
    server.say('kraken', () => null);
    start({ sources: server.sources.filter(({ name }) => name === 'kraken'), minSources: 1 });
    await expect.poll(() => server.asked.length, { timeout: 20_000 }).toBe(1);
    stop.abort();
    await running;
    expect(seen).toEqual([]);
  });

  it("gets the operator's key in a header and never in the path", async () => {
    const url = `${server.url}/coingecko`;
    const headers: unknown[] = [];
    const spying: typeof globalThis.fetch = (input, init) => {
      headers.push(init?.headers);
      return globalThis.fetch(input, init);
    };
    const settings = { sources: [{ name: 'coingecko' as const, url }], coingeckoKey: 'CG-secret' };
    const limits = {
      maxAgeSeconds: 120,
      maxFiatAgeHours: 48,
      minSources: 1,
      singleSource: [],
      maxSpreadBasisPoints: 200,
    };
    const observer = { onRateAnswer: (observation: RateObservation) => void seen.push(observation) };
    const market = openMarket(
      { ...limits, ...settings },
      { coins: ['ETH'], fiats: [], world: clock, fetch: spying, observer },
    );
    running = market.run(stop.signal);
    await answered(1, ['coingecko']);
    expect(headers[0]).toMatchObject({ 'x-cg-demo-api-key': 'CG-secret' });
    expect(server.asked.join()).not.toContain('secret');
  });
});
