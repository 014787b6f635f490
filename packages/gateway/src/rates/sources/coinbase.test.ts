// Coinbase is asked once for each coin: slowly enough for its limit, in rounds that end, keeping what was told.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHandClock, type HandClock } from '../../testing/hand-clock.ts';
import { unixTime } from '../../world.ts';
import type { MarketRates, RateObservation } from '../market.ts';
import { openMarket } from '../open-market.ts';
import { coinbaseAnswer } from '../testing/answers.ts';
import { hurried } from '../testing/hurried.ts';
import { type PriceServer, type Reply, startPriceServer } from '../testing/price-server.ts';

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

async function heard(times: number): Promise<void> {
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(times);
}

describe('Coinbase', () => {
  it('is asked for sixteen products in one round, ten a second at most, and once for ETH and WETH', async () => {
    tickers = 'ETH BTC LINK UNI AAVE SHIB PEPE POL MKR LDO SKY CRV COMP SNX GRT ENS'.split(' ');
    const market = start();
    await heard(1);
    expect(seen).toMatchObject([{ ok: true, prices: 17, refused: [] }]);
    expect(asked).toHaveLength(17);
    expect(await market.quote(ether, 'USD')).toMatchObject({ ok: true });
  });

  it('that throttles in a round keeps what it told, and is asked for the rest first', async () => {
    allowed = 3;
    start();
    await heard(1);
    const refused = ['2 products were left for the next round: answered HTTP 429'];
    expect(seen).toMatchObject([{ ok: true, prices: 3, refused }]);
    allowed = 1_000;
    await expect.poll(() => clock.asked.includes(30_000)).toBe(true);
    clock.advance(30_000);
    await heard(2);
    const paths = server.asked.map((path) => /products\/(\w+)-USD/.exec(path)?.[1] ?? 'list');
    expect(paths).toEqual(['list', 'ETH', 'BTC', 'LINK', 'LINK', 'UNI', 'ETH', 'BTC']);
    expect(seen[1]).toMatchObject({ ok: true, prices: 5, refused: [] });
  });

  it('that refuses the first question of a round has told nothing', async () => {
    allowed = 1;
    start();
    await heard(1);
    expect(seen).toMatchObject([{ ok: false, reason: 'answered HTTP 429', prices: 0 }]);
  });

  it('that is slow has a bounded round', async () => {
    server.say('coinbase', (path) => {
      clock.advance(9_000);
      return answer(path);
    });
    start();
    await heard(1);
    const refused = ['2 products were left for the next round: takes too long for all its prices'];
    expect(seen).toMatchObject([{ prices: 3, refused }]);
  });
});
