// A coin is named by itself where nothing else is called so.
import { expect, it } from 'vitest';
import { currencyName } from './currencies.ts';

const ether = { symbol: 'ETH', chain: 'ETH', network: 'ERC20', contract: null };
const onBase = { ...ether, chain: 'BASE', network: 'BASE' };
const usdt = { symbol: 'USDT', chain: 'Tron', network: 'TRC20', contract: 'T1' };

it('says the network of a token, and of a coin that has a namesake', () => {
  expect(currencyName(ether, [ether, usdt])).toBe('ETH');
  expect(currencyName(ether, [ether, onBase])).toBe('ETH · Ethereum');
  expect(currencyName(usdt, [ether, usdt])).toBe('USDT · TRC20');
});
