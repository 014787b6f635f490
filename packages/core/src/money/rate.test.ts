// A price turns fiat into tokens so that the merchant never gets less than asked, and the payer overpays by less
// than one step of the display precision.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { amountOf, unitsOf } from './amount.ts';
import { convert, fiatValueOf, parseRate, type Rate, tokensFor } from './rate.ts';
import { RATE_DECIMALS } from './reading.ts';

const FIAT_DECIMALS = 8;
const fiat = fc.bigInt({ min: 1n, max: 10n ** 24n });
const price = fc.bigInt({ min: 1n, max: 10n ** 30n });
const currency = fc
  .record({ decimals: fc.integer({ min: 0, max: 24 }), displayDecimals: fc.integer({ min: 0, max: 24 }) })
  .map((precision) => ({ currencyId: 1001, ...precision }));

/** What the tokens are worth and what was asked, in the same unit, without any division. */
function bothSides(
  units: bigint,
  decimals: number,
  rate: Rate,
  fiatUnits: bigint,
): readonly [bigint, bigint] {
  const worth = units * rate.priceUnits * 10n ** BigInt(FIAT_DECIMALS);
  return [worth, fiatUnits * 10n ** BigInt(RATE_DECIMALS + decimals)];
}

describe('tokensFor', () => {
  it('rounded up never undercharges, and one display step less would', () => {
    fc.assert(
      fc.property(fiat, price, currency, (fiatUnits, priceUnits, token) => {
        const rate = { fiat: 'USD', priceUnits };
        const units = unitsOf(tokensFor(fiatUnits, FIAT_DECIMALS, rate, token, 'up'));
        const step = 10n ** BigInt(token.decimals - Math.min(token.decimals, token.displayDecimals));
        const [worth, asked] = bothSides(units, token.decimals, rate, fiatUnits);
        const [less] = bothSides(units - step, token.decimals, rate, fiatUnits);
        expect(worth >= asked).toBe(true);
        expect(less < asked).toBe(true);
        expect(units % step).toBe(0n);
      }),
    );
  });

  it('rounded down never overcharges', () => {
    fc.assert(
      fc.property(fiat, price, currency, (fiatUnits, priceUnits, token) => {
        const rate = { fiat: 'USD', priceUnits };
        const down = unitsOf(tokensFor(fiatUnits, FIAT_DECIMALS, rate, token, 'down'));
        const up = unitsOf(tokensFor(fiatUnits, FIAT_DECIMALS, rate, token, 'up'));
        const [worth, asked] = bothSides(down, token.decimals, rate, fiatUnits);
        expect(worth <= asked).toBe(true);
        expect(down <= up).toBe(true);
      }),
    );
  });

  it.each([
    ['10 USD at 1', 1_000_000_000n, '1', 6, 2, 10_000_000n],
    ['10 USD at 3, at two digits', 1_000_000_000n, '3', 6, 2, 3_340_000n],
    ['the same with 18 decimals', 1_000_000_000n, '3', 18, 2, 3_340_000_000_000_000_000n],
    ['1 USD at 2500.5, at eight digits', 100_000_000n, '2500.5', 18, 8, 399_930_000_000_000n],
    ['the least fiat there is', 1n, '1000000', 6, 2, 10_000n],
  ])('of %s', (_, fiatUnits, text, decimals, displayDecimals, expected) => {
    const rate = parseRate('USD', text);
    expect(rate).not.toBeNull();
    const token = { currencyId: 1001, decimals, displayDecimals };
    expect(unitsOf(tokensFor(fiatUnits, FIAT_DECIMALS, rate!, token, 'up'))).toBe(expected);
  });
});

describe('fiatValueOf', () => {
  it('values tokens that were made from a sum at that sum or a little more', () => {
    fc.assert(
      fc.property(fiat, price, currency, (fiatUnits, priceUnits, token) => {
        const rate = { fiat: 'USD', priceUnits };
        const amount = tokensFor(fiatUnits, FIAT_DECIMALS, rate, token, 'up');
        expect(fiatValueOf(amount, rate, token, FIAT_DECIMALS, 'up') >= fiatUnits).toBe(true);
      }),
    );
  });

  it('is zero for nothing', () => {
    const rate = { fiat: 'USD', priceUnits: 10n ** 18n };
    expect(fiatValueOf(amountOf(1001, 0n), rate, { decimals: 6 }, 2, 'up')).toBe(0n);
  });
});

describe('convert', () => {
  it('rounded up is worth what it was made from or a little more', () => {
    fc.assert(
      fc.property(fiat, price, price, currency, (units, one, other, token) => {
        const [from, to] = [
          { fiat: 'USD', priceUnits: one },
          { fiat: 'USD', priceUnits: other },
        ];
        const amount = amountOf(1000, units);
        const converted = convert(amount, { decimals: 18, rate: from }, { ...token, rate: to }, 'up');
        const worth = unitsOf(converted) * other * 10n ** 18n;
        expect(worth >= units * one * 10n ** BigInt(token.decimals)).toBe(true);
      }),
    );
  });

  it('makes 0.001 ETH at 4000 USD four dollars, shown in cents', () => {
    const rates = ['4000', '0.9'].map((text) => parseRate('USD', text)!);
    const token = { currencyId: 1001, decimals: 6, displayDecimals: 2, rate: rates[1]! };
    const made = convert(amountOf(1000, 10n ** 15n), { decimals: 18, rate: rates[0]! }, token, 'up');
    expect(made).toEqual(amountOf(1001, 4_450_000n));
    const inEuro = { ...token, rate: parseRate('EUR', '1')! };
    expect(() => convert(amountOf(1000, 1n), { decimals: 18, rate: rates[0]! }, inEuro, 'up')).toThrow(Bug);
  });
});

describe('parseRate', () => {
  it.each(['0', '0.000', '-1', '1e3', '', '1.0000000000000000001'])('refuses %j', (text) => {
    expect(parseRate('USD', text)).toBeNull();
  });

  it('keeps all 18 digits', () => {
    expect(parseRate('USD', '1.000000000000000001')).toEqual({ fiat: 'USD', priceUnits: 10n ** 18n + 1n });
  });
});
