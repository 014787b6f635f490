// A difference beyond dust suspends its currency, and no stranger suspends one for the price of dust.
import { describe, expect, it } from 'vitest';
import { eth } from '../chain/definitions/eth.ts';
import { amountOf } from '../money/amount.ts';
import { NATIVE_SURPLUS_GRACE_MS, suspendingDifferences } from './difference.ts';

describe('suspendingDifferences', () => {
  const [native, token] = eth.currencies;
  const now = 10 * NATIVE_SURPLUS_GRACE_MS;
  const old = now - NATIVE_SURPLUS_GRACE_MS;
  const dust = 10n ** 12n;
  const ether = 10n ** 18n;

  it.each<[string, 'native' | 'token', readonly bigint[], number, number]>([
    ['one unit of a token is missing', 'token', [-1n], now, 1],
    ['one unit of a token too much', 'token', [1n], now, 1],
    ['dust of the native currency is missing', 'native', [-1n], now, 0],
    ['much dust is missing', 'native', [-dust / 2n, -dust / 2n], now, 2],
    ['a stranger sent the native currency by a contract', 'native', [ether], now, 0],
    ['and nothing booked it for an hour', 'native', [ether], old, 1],
    ['a stranger sent dust to many addresses', 'native', [dust, dust, dust], old, 0],
    ['a loss beside a surplus', 'native', [ether, -ether], now, 1],
    ['nothing', 'token', [0n], old, 0],
    ['exactly dust is missing', 'native', [-dust], now, 1],
    ['a unit less than dust is missing', 'native', [1n - dust], now, 0],
    ['a unit more than dust came too much', 'native', [dust + 1n], old, 1],
    ['nothing booked it for almost an hour', 'native', [ether], old + 1, 0],
    ['a loss and what is no difference', 'token', [-1n, 0n], now, 1],
    ['a surplus and a loss of the token', 'token', [1n, -1n], now, 2],
  ])('%s', (_, which, found, sinceMs, suspending) => {
    const currency = (which === 'native' ? native : token)!;
    const rows = found.map((value) => ({ difference: amountOf(currency.currencyId, value), sinceMs }));
    expect(suspendingDifferences(currency, rows, now)).toHaveLength(suspending);
  });
});
