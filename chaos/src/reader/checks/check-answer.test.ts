// Shows that an answer with another amount, currency or chain than was asked for is found.
import { expect, it } from 'vitest';
import { checkAnswer, unitsOf } from './check-answer.ts';

const token = {
  chain: 'ETH',
  chainId: 31_337,
  symbol: 'USDT',
  contract: '0xAbCd',
  decimals: 6,
  units: 1_230_000n,
};
const answer = {
  chain: 'ETH',
  chain_id: 31_337,
  token: 'USDT',
  contract: '0xabcd',
  decimal: 6,
  amount: '1.23',
};

it('finds nothing where the answer says what was asked for', () => {
  expect(checkAnswer(token, answer)).toEqual([]);
  const coin = { ...token, symbol: 'ETH', contract: null };
  expect(checkAnswer(coin, { ...answer, token: 'ETH', contract: 'ETH' })).toEqual([]);
});

it.each([
  ['a higher amount', { amount: '1.230001' }, 'amount is 1230001 and must be 1230000'],
  ['a part that the currency does not have', { amount: '1.2300000' }, 'amount is null and must be 1230000'],
  ['no amount', { amount: '' }, 'amount is null and must be 1230000'],
  ['the contract of another token', { contract: '0xabce' }, 'contract is 0xabce and must be 0xabcd'],
  ['another symbol', { token: 'USDC' }, 'token is USDC and must be USDT'],
  ['another chain', { chain: 'BSC' }, 'chain is BSC and must be ETH'],
  ['the number of another chain', { chain_id: 1 }, 'chain_id is 1 and must be 31337'],
  ['other decimals', { decimal: 18 }, 'decimal is 18 and must be 6'],
])('sees %s', (_what, change, said) => {
  expect(checkAnswer(token, { ...answer, ...change })).toEqual([said]);
});

it('knows base58 addresses that differ in case as different', () => {
  const inTron = { ...token, contract: 'TR7N' };
  expect(checkAnswer(inTron, { ...answer, contract: 'Tr7N' })).toHaveLength(1);
});

it.each([
  ['1', 1_000_000n],
  ['0.000001', 1n],
  ['12.5', 12_500_000n],
  ['-1', null],
  ['1.', null],
  ['1e3', null],
])('reads %s', (amount, units) => {
  expect(unitsOf(amount, 6)).toBe(units);
});
