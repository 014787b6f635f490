// A difference counts where a quorum reports it, and suspends its currency beyond dust.
import { describe, expect, it } from 'vitest';
import { eth } from '../chain/definitions/eth.ts';
import { amountOf } from '../money/amount.ts';
import {
  agreedDifferences,
  NATIVE_SURPLUS_GRACE_MS,
  smallestBeyondDust,
  suspendingDifferences,
} from './difference.ts';

const units = (value: bigint) => amountOf(1001, value);

describe('agreedDifferences', () => {
  it.each<[string, readonly (readonly bigint[])[], number, readonly (bigint | null)[]]>([
    ['one report of one', [[0n, -1n]], 1, [0n, -1n]],
    [
      'two that agree',
      [
        [-1n, 2n],
        [-1n, 2n],
      ],
      2,
      [-1n, 2n],
    ],
    [
      'two that do not',
      [
        [-1n, 2n],
        [-1n, 3n],
      ],
      2,
      [-1n, null],
    ],
    ['two of three', [[5n], [-1n], [-1n]], 2, [-1n]],
    ['nobody', [], 1, []],
  ])('%s', (_, reports, quorum, agreed) => {
    const found = agreedDifferences(
      reports.map((report) => report.map(units)),
      quorum,
    );
    expect(found.map((one) => one?.units ?? null)).toEqual(agreed);
  });
});

describe('suspendingDifferences', () => {
  const [native, token] = eth.currencies;
  const now = 10 * NATIVE_SURPLUS_GRACE_MS;

  it('counts the smallest unit of a token with six decimals, and a millionth of the native currency', () => {
    expect(smallestBeyondDust({ currencyId: 1001, decimals: 6 }).units).toBe(1n);
    expect(smallestBeyondDust({ currencyId: 1001, decimals: 2 }).units).toBe(1n);
    expect(smallestBeyondDust({ currencyId: 1000, decimals: 18 }).units).toBe(10n ** 12n);
  });

  it.each<[string, 'native' | 'token', readonly bigint[], number, number]>([
    ['one unit of a token is missing', 'token', [-1n], now, 1],
    ['one unit of a token too much', 'token', [1n], now, 1],
    ['dust of the native currency is missing', 'native', [-1n], now, 0],
    ['much dust is missing', 'native', [-(10n ** 12n) / 2n, -(10n ** 12n) / 2n], now, 2],
    ['a stranger sent the native currency by a contract', 'native', [10n ** 18n], now, 0],
    ['and nothing booked it for an hour', 'native', [10n ** 18n], now - NATIVE_SURPLUS_GRACE_MS, 1],
    ['a loss beside such a surplus', 'native', [10n ** 18n, -(10n ** 18n)], now, 1],
  ])('%s', (_, which, found, sinceMs, suspending) => {
    const currency = (which === 'native' ? native : token)!;
    const rows = found.map((value) => ({ difference: amountOf(currency.currencyId, value), sinceMs }));
    expect(suspendingDifferences(currency, rows, now)).toHaveLength(suspending);
  });
});
