// Names of networks as payers know them.
import { expect, it } from 'vitest';
import { networkWithKind } from './network-names.ts';

it('says the network, and the kind of its tokens where that is another word', () => {
  expect(networkWithKind('ETH', 'ERC20')).toBe('Ethereum (ERC20)');
  expect(networkWithKind('BASE', 'BASE')).toBe('BASE');
});
