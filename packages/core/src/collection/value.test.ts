// What amounts are worth in USDT, and that USDT itself needs no source.
import { expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { eth } from '../chain/definitions/eth.ts';
import { amountOf } from '../money/amount.ts';
import { parseRate } from '../money/rate.ts';
import { fixedRateOf, valueOf } from './value.ts';

const [ether, usdt] = [eth.currencies[0]!, eth.currencies.find(({ currencyId }) => currencyId === 1001)!];

it('is one for USDT, and has to be asked for everything else', () => {
  expect(fixedRateOf(usdt)).toEqual(parseRate('USDT', '1'));
  expect(fixedRateOf(ether)).toBeNull();
});

it.each([
  ['down', 3_000_000n],
  ['up', 3_000_001n],
] as const)('is rounded %s to a millionth', (rounding, value) => {
  const rate = parseRate('USDT', '3000.0000001')!;
  expect(valueOf(amountOf(ether.currencyId, 10n ** 15n), ether, rate, rounding)).toBe(value);
  expect(() => valueOf(amountOf(ether.currencyId, 1n), ether, parseRate('USD', '1')!, rounding)).toThrow(Bug);
});
