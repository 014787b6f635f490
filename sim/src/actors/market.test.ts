// Prices that move, and that a seed fixes.
import { describe, expect, it } from 'vitest';
import { Market } from './market.ts';

const market = new Market(1);

describe('Market', () => {
  it('stands for twenty seconds and then moves, by the seed', () => {
    const price = market.priceUnits('ETH', 'USD', 1_700_000_000);
    expect(market.priceUnits('ETH', 'USD', 1_700_000_019)).toBe(price);
    expect(market.priceUnits('ETH', 'USD', 1_700_000_020)).not.toBe(price);
    expect(new Market(1).priceUnits('ETH', 'USD', 1_700_000_000)).toBe(price);
    expect(new Market(2).priceUnits('ETH', 'USD', 1_700_000_000)).not.toBe(price);
  });

  it('has another price for each symbol and each fiat, a dollar near one for what promises to be one', () => {
    const prices = ['ETH', 'USDT', 'USDC'].flatMap((symbol) =>
      (['USD', 'EUR'] as const).map((fiat) => market.priceUnits(symbol, fiat, 1_700_000_000)),
    );
    expect(new Set(prices).size).toBe(prices.length);
    const dollars = Number(market.priceUnits('USDT', 'USD', 1_700_000_000)) / 1e18;
    expect(Math.abs(dollars - 1)).toBeLessThan(0.07);
  });
});
