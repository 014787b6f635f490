// Coinbase is asked once for each coin: slowly enough for its limit, in rounds that end, keeping what was reported.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHandClock, type HandClock } from '@ducat/testkit/hand-clock';
import { unixTime } from '../../runtime/world.ts';
import type { MarketRates, RateObservation } from '../market.ts';
import { openMarket } from '../open-market.ts';
import { coinbaseAnswer } from '@ducat/testkit/rates/answers';
import { hurried } from '@ducat/testkit/rates/hurried';
import { type PriceServer, type Reply, startPriceServer } from '@ducat/testkit/rates/price-server';

const ether = { ...eth.currencies[0]!, symbol: 'WETH' };
/** The products there are, which are asked for as coins too. */
let tickers: readonly string[];
/** When each question came, by the clock, and after how many it refuses the rest. */
let asked: number[];
let allowed: number;
let clock: HandClock;
let server: PriceServer;
let stop: AbortController;
let running: Promise<void>;
let seen: RateObservation[];

beforeEach(async () => {
  [tickers, asked, allowed, seen] = [['ETH', 'BTC', 'LINK', 'UNI'], [], 1_000, []];
  clock = createHandClock(1_795_176_000_000);
  server = await startPriceServer(() => unixTime(clock));
  server.say('coinbase', answer);
  stop = new AbortController();
  running = Promise.resolve();
});
afterEach(async () => {
  stop.abort();
  await server.close();
  await running;
});

/** Ten questions in any second of the clock, as it allows to an address. */
function answer(path: string): Reply {
  const now = clock.nowMs();
  asked.push(now);
  const isBusy = asked.filter((at) => at > now - 1_000).length > 10 || asked.length > allowed;
  if (isBusy) return { status: 429, body: '{"message":"Public rate limit exceeded"}' };
  if (path === '/products') return { body: JSON.stringify(tickers.map((name) => ({ id: `${name}-USD` }))) };
  return { body: coinbaseAnswer(unixTime(clock), '4000.5') };
}

function start(): MarketRates {
  const market = openMarket(
    {
      maxAgeSeconds: 120,
      maxFiatAgeHours: 48,
      minSources: 1,
      singleSource: [],
      maxSpreadBasisPoints: 200,
      sources: server.sources.filter(({ name }) => name === 'coinbase'),
      coingeckoKey: null,
    },
    {
      coins: [...tickers, 'WETH'],
      fiats: [],
      world: hurried(clock, true),
      fetch: globalThis.fetch,
      observer: { onRateAnswer: (observation) => void seen.push(observation) },
    },
  );
  running = market.run(stop.signal);
  return market;
}

async function answered(times: number): Promise<void> {
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(times);
}

describe('Coinbase', () => {
  it('is asked for sixteen products in one round, ten a second at most, and once for ETH and WETH', async () => {
    tickers = 'ETH BTC LINK UNI AAVE SHIB PEPE POL MKR LDO SKY CRV COMP SNX GRT ENS'.split(' ');
    const market = start();
    await answered(1);
    expect(seen).toMatchObject([{ ok: true, prices: 17, refused: [] }]);
    expect(asked).toHaveLength(17);
    expect(await market.quote(ether, 'USD')).toMatchObject({ ok: true });
  });

  it('that throttles in a round keeps what it reported, and is asked for the rest first', async () => {
    allowed = 3;
    start();
    await answered(1);
    const refused = ['2 products were left for the next round: answered HTTP 429'];
    expect(seen).toMatchObject([{ ok: true, prices: 3, refused }]);
    allowed = 1_000;
    await expect.poll(() => clock.asked.includes(30_000)).toBe(true);
    clock.advance(30_000);
    await answered(2);
    const paths = server.asked.map((path) => /products\/(\w+)-USD/.exec(path)?.[1] ?? 'list');
    expect(paths).toEqual(['list', 'ETH', 'BTC', 'LINK', 'LINK', 'UNI', 'ETH', 'BTC']);
    expect(seen[1]).toMatchObject({ ok: true, prices: 5, refused: [] });
  });

  it.each([0, 1, 2, 3])('of which product %d keeps failing reports all others', async (bad) => {
    const path = `/products/${tickers[bad]}-USD/ticker`;
    server.say('coinbase', (asked_) => (asked_ === path ? { status: 500, body: '' } : answer(asked_)));
    const market = start();
    for (let round = 1; round <= 12; round++) {
      await answered(round);
      await expect.poll(() => clock.asked.filter((ms) => ms >= 30_000).length).toBe(round);
      clock.advance(30_000);
    }
    await answered(13);
    expect(seen.filter(({ ok }) => !ok)).toEqual([]);
    for (const [place, ticker] of tickers.entries())
      expect((await market.quote({ ...ether, symbol: ticker }, 'USD')).ok).toBe(place !== bad);
  });

  it('of which two products keep failing reports all others as well', async () => {
    const bad = ['ETH', 'LINK'].map((ticker) => `/products/${ticker}-USD/ticker`);
    server.say('coinbase', (path) => (bad.includes(path) ? { status: 500, body: '' } : answer(path)));
    const market = start();
    for (let round = 1; round <= 12; round++) {
      await answered(round);
      await expect.poll(() => clock.asked.filter((ms) => ms >= 30_000).length).toBe(round);
      clock.advance(30_000);
    }
    await answered(13);
    const priced = await Promise.all(
      tickers.map(async (symbol) => (await market.quote({ ...ether, symbol }, 'USD')).ok),
    );
    expect(priced).toEqual([false, true, false, true]);
  });

  it('that answers no ticker is asked for two in a round, and for others in the next', async () => {
    server.say('coinbase', (path) => (path === '/products' ? answer(path) : { status: 500, body: '' }));
    start();
    for (let round = 1; round <= 4; round++) {
      await answered(round);
      await expect.poll(() => clock.asked.filter((ms) => ms >= 30_000).length).toBe(round);
      clock.advance(600_000);
    }
    expect(seen.every(({ ok }) => !ok)).toBe(true);
    const paths = server.asked.flatMap((path) => /products\/(\w+)-USD/.exec(path)?.[1] ?? []);
    expect(paths.slice(0, 8)).toEqual(['ETH', 'BTC', 'LINK', 'UNI', 'ETH', 'BTC', 'LINK', 'UNI']);
  });

  it('that refuses the first question of a round has reported nothing', async () => {
    allowed = 1;
    start();
    await answered(1);
    expect(seen).toMatchObject([{ ok: false, reason: 'answered HTTP 429', prices: 0 }]);
    expect(server.asked).toEqual(['coinbase/products', 'coinbase/products/ETH-USD/ticker']);
  });

  it('that is slow has a bounded round', async () => {
    server.say('coinbase', (path) => {
      clock.advance(9_000);
      return answer(path);
    });
    start();
    await answered(1);
    const refused = ['2 products were left for the next round: takes too long for all its prices'];
    expect(seen).toMatchObject([{ prices: 3, refused }]);
  });
});
