// The accounts of the public test mnemonic, which every dev chain funds.
import type { HDAccount } from 'viem/accounts';
import { mnemonicToAccount } from 'viem/accounts';
import { toHex } from 'viem';

/**
 * The mnemonic that every Ethereum dev tool uses. Its keys are public knowledge and worthless: coins that are sent to
 * them on a public chain are stolen within seconds.
 */
export const testMnemonic = 'test test test test test test test test test test test junk';

/** One account with its private key. */
export interface TestAccount {
  readonly account: HDAccount;
  readonly address: `0x${string}`;
  readonly privateKey: `0x${string}`;
}

/** Account 0 to 9 of the test mnemonic (path m/44'/60'/0'/0/index). */
export function testAccount(index: number): TestAccount {
  const account = mnemonicToAccount(testMnemonic, { addressIndex: index });
  const key = account.getHdKey().privateKey;
  if (key === null || key === undefined) throw new Error('the test mnemonic gave no private key');
  return { account, address: account.address, privateKey: toHex(key) };
}
