// Shows that demo rates cover everything and are marked, and that no quote is used beyond its age.
import { fiatNames } from '@ducat/contract/fields/fiat-names';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { eth } from '@ducat/core/chain/definitions/eth';
import { type Currency, rateAssetOf } from '@ducat/core/chain/currency';
import type { Quote } from '@ducat/core/money/rate';
import { accept, type Result, refuse } from '@ducat/core/result';
import { describe, expect, it } from 'vitest';
import { Outage } from '../runtime/outage.ts';
import { createTestWorld } from '@ducat/testkit/api/test-world';
import { sourcesOf } from './assets.ts';
import { createCachedRates } from './cached.ts';
import { createFixedRates } from './fixed.ts';
import type { RateSource } from './port.ts';

const START = 1_700_000_000;
const ether = currencyOf(0);

function currencyOf(index: number): Currency {
  const currency = eth.currencies[index];
  if (currency === undefined) throw new Error('ETH has fewer currencies');
  return currency;
}

const none = refuse({ code: 'rate-unavailable', message: 'nobody knows' });

function quoteAt(at: number): Result<Quote> {
  return accept({ rate: { fiat: 'USD', priceUnits: 1n }, at, source: 'test', evidence: [] });
}

/** The quote of an answer, or null. */
function given(answer: Result<Quote>): Quote | null {
  return answer.ok ? answer.value : null;
}

/** A source that answers what `answers` holds next, and counts. */
function scripted(answers: (Result<Quote> | Error)[]): RateSource & { asked: number } {
  const source = {
    asked: 0,
    warning: 'made up',
    quote: () => {
      source.asked += 1;
      const next = answers.shift() ?? none;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  };
  return source;
}

describe('createFixedRates', () => {
  it('prices what the market prices by several sources, in all 23 fiat names, and marks each quote', async () => {
    const rates = createFixedRates(createTestWorld(START * 1000));
    expect(rates.warning).toContain('made up');
    const known = chainDefinitions.flatMap((chain) => chain.currencies);
    const isPriced = (currency: Currency) => sourcesOf(rateAssetOf(currency) ?? '') === 'several';
    expect(known.filter(isPriced).length).toBeGreaterThan(60);
    for (const currency of known.filter(isPriced)) {
      for (const fiat of fiatNames) {
        const quote = given(await rates.quote(currency, fiat));
        expect(quote).toMatchObject({ rate: { fiat }, at: START, source: 'fixed demo rates' });
        expect(quote === null ? 0n : quote.rate.priceUnits).toBeGreaterThan(0n);
      }
    }
  });

  it.each([
    ['BTC', 'BTC@Tron', 'it is a promise of a coin of another chain'],
    ['BTCB', undefined, 'one source alone prices it'],
    ['USDT', null, 'the operator has not said what it is worth'],
  ])('refuses %s as %s, which an order would meet in production', async (symbol, rateAsset, reason) => {
    const rates = createFixedRates(createTestWorld(0));
    const currency = { ...ether, symbol, ...(rateAsset === undefined ? {} : { rateAsset }) };
    expect(await rates.quote(currency, 'USD')).toMatchObject({
      refusal: {
        code: 'rate-unavailable',
        message: expect.stringContaining(`${symbol} has no price in fiat: ${reason}`),
      },
    });
  });

  it('multiplies exactly and knows nothing else', async () => {
    const rates = createFixedRates(createTestWorld(0));
    expect(given(await rates.quote(ether, 'JPY'))?.rate.priceUnits).toBe(600_000n * 10n ** 18n);
    expect(given(await rates.quote(ether, 'GBP'))?.rate.priceUnits).toBe(3_000n * 10n ** 18n);
    expect(given(await rates.quote(ether, 'XAU'))).toBe(null);
    expect(await rates.quote({ ...ether, symbol: 'TWIN' }, 'USD')).toMatchObject({
      refusal: {
        code: 'rate-unavailable',
        message: expect.stringContaining('TWIN has no price in fiat: Ducat does not know'),
      },
    });
  });
});

describe('createCachedRates', () => {
  const limits = { maxAgeS: 60, keepMs: 5_000 };

  it('asks once for many at the same time, and again when the time to keep is over', async () => {
    const world = createTestWorld(START * 1000);
    const source = scripted([quoteAt(START), quoteAt(START + 5)]);
    const rates = createCachedRates(source, limits, world);
    const many = await Promise.all(Array.from({ length: 50 }, () => rates.quote(ether, 'USD')));
    expect([new Set(many).size, source.asked, rates.warning]).toEqual([1, 1, 'made up']);
    world.advance(4_999);
    await rates.quote(ether, 'USD');
    expect(source.asked).toBe(1);
    world.advance(1);
    expect([given(await rates.quote(ether, 'USD'))?.at, source.asked]).toEqual([START + 5, 2]);
  });

  it('keeps pairs apart', async () => {
    const source = scripted([quoteAt(START), none]);
    const rates = createCachedRates(source, limits, createTestWorld(START * 1000));
    expect(given(await rates.quote(ether, 'USD'))).not.toBe(null);
    expect(await rates.quote(ether, 'EUR')).toBe(none);
    expect(source.asked).toBe(2);
  });

  it.each([
    [START - 61, false],
    [START - 60, true],
    [START + 60, true],
    [START + 61, false],
  ])('with 60 s allowed at second %s gives a quote: %s', async (at, isGiven) => {
    const rates = createCachedRates(scripted([quoteAt(at)]), limits, createTestWorld(START * 1000));
    const answer = await rates.quote(ether, 'USD');
    expect(answer.ok).toBe(isGiven);
    if (!answer.ok) expect(answer.refusal.message).toMatch(/ETH in USD is -?61 s old, at most 60 s/);
  });

  it('lives through an outage on the last quote while it is young, and no longer', async () => {
    const world = createTestWorld(START * 1000);
    const down = () => new Outage('down', { retryable: true });
    const rates = createCachedRates(scripted([quoteAt(START), down(), down()]), limits, world);
    await rates.quote(ether, 'USD');
    world.advance(60_000);
    expect(given(await rates.quote(ether, 'USD'))?.at).toBe(START);
    world.advance(1_000);
    await expect(rates.quote(ether, 'USD')).rejects.toThrow('down');
  });
});
