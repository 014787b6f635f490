// A source that once reported too little is not held to it: its list is asked for soon, and seldom while all is well.
import { describe, expect, it } from 'vitest';
import type { Get, HttpAnswer } from '../get.ts';
import { type PriceSourceName, priceSources } from '../price-sources.ts';
import { binanceAnswer, coinbaseProducts, coinPrices, krakenAnswer } from '@ducat/testkit/rates/answers';
import { healthySpeech, type Reply } from '@ducat/testkit/rates/price-server';

const NOW = 1_795_176_000;
const healthy = healthySpeech(() => NOW);
const coins = ['ETH', 'BNB', 'TRX', 'USDT', 'USDC'];
const withoutEther = Object.fromEntries(Object.entries(coinPrices).filter(([name]) => name !== 'ETH'));
const date = { date: new Date(NOW * 1000).toUTCString() };

type Lists = Readonly<Record<'binance' | 'kraken' | 'coinbase', Reply>>;
const nothing: Lists = {
  binance: { body: '[]' },
  kraken: { body: '{"error":[],"result":{}}', headers: date },
  coinbase: { body: '[]' },
};
const shorter: Lists = {
  binance: { body: binanceAnswer(NOW, withoutEther) },
  kraken: { body: krakenAnswer(withoutEther), headers: date },
  coinbase: { body: coinbaseProducts(['BNB', 'USDT']) },
};
const names = ['binance', 'kraken', 'coinbase'] as const;

/** Whether a question is for everything that the source has. */
const isList = (path: string) => !/symbols=|pair=|ticker$/.test(path);

/** Rounds of one source, in which `short` may stand for its healthy answer. */
function rounds(name: PriceSourceName) {
  const source = priceSources[name]();
  const asked: string[] = [];
  const round = async (short?: Reply, isShort = (path: string) => isList(path) || name !== 'coinbase') => {
    const get: Get = (path): Promise<HttpAnswer> => {
      asked.push(path);
      const usual = healthy[name](path);
      const reply = short !== undefined && isShort(path) ? short : usual;
      const { status = 200, body, headers } = reply ?? { body: '' };
      const date = headers?.['date'] === undefined ? null : Math.floor(Date.parse(headers['date']) / 1000);
      return Promise.resolve({ status, text: String(body), date });
    };
    const { readings } = await source.fetch(get, coins);
    return readings.map(({ base }) => base);
  };
  return { round, lists: () => asked.filter(isList).length };
}

describe.each(names)('%s', (name) => {
  it('that listed nothing at all is asked for its list in the next round', async () => {
    const { round } = rounds(name);
    for (let time = 0; time < 3; time++) expect(await round(nothing[name])).toEqual([]);
    expect(await round()).toContain('ETH');
  });

  it('that left out a coin once reports it again within three rounds', async () => {
    const { round } = rounds(name);
    expect(await round(shorter[name])).not.toContain('ETH');
    await round();
    expect(await round()).toContain('ETH');
  });

  it('that drops a coin in its midst is asked for its list in the next round', async () => {
    const { round, lists } = rounds(name);
    for (let time = 0; time < 100; time++) await round();
    // Coinbase drops it from its list alone, which is asked for now and then.
    while ((await round(shorter[name])).includes('ETH'));
    const before = lists();
    expect(await round()).toContain('ETH');
    expect(lists()).toBe(before + 1);
  });

  it('is asked for its list less and less often while that stays the same', async () => {
    const { round, lists } = rounds(name);
    for (let time = 0; time < 1_000; time++) await round();
    expect(lists()).toBeLessThanOrEqual(12);
    expect(lists()).toBeGreaterThanOrEqual(9);
  });

  it('whose list cannot be had by now reports every other time what it is known to trade', async () => {
    const { round } = rounds(name);
    await round();
    await round();
    const isReported: boolean[] = [];
    for (let time = 0; time < 10; time++)
      isReported.push(
        await round({ status: 500, body: '' }, isList).then(
          (symbols) => symbols.includes('ETH'),
          () => false,
        ),
      );
    expect(isReported).toEqual([false, true, false, true, false, true, false, true, false, true]);
    expect(await round()).toContain('ETH');
  });

  it('of which nothing is wanted is not asked', async () => {
    const source = priceSources[name]();
    const get: Get = () => Promise.reject(new Error('was asked'));
    expect(await source.fetch(get, [])).toEqual({ readings: [], refused: [] });
  });
});
