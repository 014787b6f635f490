// Every definition keeps the rules that the rest of Ducat relies on.
import { describe, expect, it } from 'vitest';
import type { ChainFamily } from '../chain.ts';
import { isMainCurrency } from '../currency.ts';
import { chainDefinitions } from './index.ts';

/** Currency ids are pinned for ever: a line here may be added, never changed. */
const pinned: Readonly<Record<number, string>> = {
  1000: 'ETH ETH',
  1001: 'ETH USDT 0xdac17f958d2ee523a2206206994597c13d831ec7 6',
  1002: 'ETH USDC 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 6',
  2000: 'BSC BNB',
  2001: 'BSC USDT 0x55d398326f99059ff775485246999027b3197955 18',
  2002: 'BSC USDC 0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d 18',
  3000: 'Tron TRX',
  3001: 'Tron USDT 41a614f803b6fd780986a42c78ec9c7f77e6ded13c 6',
  4000: 'WKC WKC',
};

/** When money counts as final: another number here is another risk for every merchant. */
const finality: Readonly<Record<string, string>> = {
  ETH: '12 finalized',
  BSC: '15 finalized',
  Tron: '19 finalized',
  WKC: '15 finalized',
};

const ranges: Readonly<Record<string, number>> = { ETH: 1000, BSC: 2000, Tron: 3000, WKC: 4000 };

/** The canonical text of a contract. */
const contracts: Readonly<Record<ChainFamily, RegExp>> = {
  evm: /^0x[0-9a-f]{40}$/,
  tron: /^41[0-9a-f]{40}$/,
};

describe('chain definitions', () => {
  it('pin every currency id to one coin or contract', () => {
    const listed = chainDefinitions.flatMap((chain) =>
      chain.currencies.map((currency) => {
        const token = currency.contract === null ? '' : ` ${currency.contract} ${currency.decimals}`;
        return [currency.currencyId, `${chain.name} ${currency.symbol}${token}`] as const;
      }),
    );
    expect(Object.fromEntries(listed)).toEqual(pinned);
  });

  it('pin when the blocks of each chain are final', () => {
    const listed = chainDefinitions.map(({ name, confirmations, nodeFinality }) => [
      name,
      `${confirmations} ${nodeFinality}`,
    ]);
    expect(Object.fromEntries(listed)).toEqual(finality);
  });

  it('have names and numbers of their own', () => {
    const names = chainDefinitions.map((chain) => chain.name);
    const numbers = chainDefinitions.map((chain) => chain.monitorChainId);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each(chainDefinitions)('$name keeps the rules of its kind', (chain) => {
    expect(chain.windowBlocks).toBeGreaterThan(chain.confirmations);
    expect(chain.confirmations).toBeGreaterThan(0);
    const [first, ...tokens] = chain.currencies;
    expect(first && isMainCurrency(first)).toBe(true);
    expect(first?.currencyId).toBe(ranges[chain.name]);
    for (const token of tokens) {
      expect(token.contract).toMatch(contracts[chain.family]);
      expect(Math.floor(token.currencyId / 1000) * 1000).toBe(ranges[chain.name]);
      expect(token.displayDecimals).toBeLessThanOrEqual(token.decimals);
    }
  });
});
