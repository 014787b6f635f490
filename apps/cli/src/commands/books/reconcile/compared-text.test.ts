// What ducat reconcile shows of a chain's currencies: a newcomer must not take a comparison that is behind for a loss.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import type { ComparedCurrency } from '@ducat/gateway/roles/maintenance/compare-chain';
import { expect, it } from 'vitest';
import { comparedText } from './compared-text.ts';

const [coin, token, other] = eth.currencies;

function compared(given: typeof coin, units: bigint, atBlock: number | null): ComparedCurrency {
  const currency = given!;
  const amount = amountOf(currency.currencyId, units);
  const none = { differing: 0, differences: [], trouble: null };
  return { currency, ledger: amount, chain: amount, atBlock, ...none };
}

function lines(...currencies: readonly ComparedCurrency[]): readonly string[] {
  const looked = { finalBlock: 20, addresses: 2, currencies };
  return comparedText({ chain: 'ETH', state: 'clean', reason: null, compared: looked }).map((line) =>
    line.trim().replaceAll(/ +/g, ' '),
  );
}

const HEAD = 'CURRENCY LEDGER CHAIN DIFFERENCE ADDRESSES THAT DIFFER AT BLOCK';

it('names a currency that is compared below the final block, also where it has nothing yet', () => {
  expect(lines(compared(coin, 0n, 12), compared(token, 5_000_000n, 20), compared(other, 0n, 20))).toEqual([
    'ETH clean (from block 20, 2 addresses)',
    HEAD,
    '✓ ETH@ETH 0 0 0 0 12',
    `✓ ${token?.symbol}@ETH 5 5 0 0 20`,
    '✓ 1 other 0 0 0 0',
    '',
  ]);
});

it('counts the currencies that no address holds in one line', () => {
  expect(lines(compared(coin, 0n, 20))[2]).toBe('✓ 1 currency 0 0 0 0');
  expect(lines(compared(coin, 0n, null), compared(token, 0n, 20))[2]).toBe('✓ 2 currencies 0 0 0 0');
});
