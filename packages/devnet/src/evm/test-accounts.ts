// The accounts of the public test mnemonic, which every dev chain funds.
import { pbkdf2Sync } from 'node:crypto';
import type { HDAccount } from 'viem/accounts';
import { HDKey, hdKeyToAccount } from 'viem/accounts';
import { toHex } from 'viem/utils';

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
  const known = accounts.get(index) ?? derive(index);
  accounts.set(index, known);
  return known;
}

const accounts = new Map<number, TestAccount>();
let root: HDKey | undefined;

function derive(index: number): TestAccount {
  root ??= HDKey.fromMasterSeed(seed());
  const account = hdKeyToAccount(root, { addressIndex: index });
  const key = account.getHdKey().privateKey;
  if (key === null || key === undefined) throw new Error('the test mnemonic gave no private key');
  return { account, address: account.address, privateKey: toHex(key) };
}

/** The BIP-39 seed of the mnemonic, by Node's own PBKDF2: it takes 2 ms, and the same in JavaScript takes a tenth of a second. */
function seed(): Uint8Array {
  return pbkdf2Sync(testMnemonic, 'mnemonic', 2_048, 64, 'sha512');
}
