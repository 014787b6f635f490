// The accounts that every Ethereum dev tool knows by these addresses.
import { expect, it } from 'vitest';
import { testAccount } from './test-accounts.ts';

it('has the accounts of the public test mnemonic', () => {
  expect([0, 1, 9].map((index) => testAccount(index).address)).toEqual([
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  ]);
  expect(testAccount(0).privateKey).toBe(
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  );
});
