// The keys of a development chain: funded accounts from a mnemonic and the 27 witnesses.
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedWebcrypto } from '@scure/bip39';
import { bytesToHex, textToHex } from './hex.ts';
import { sha256 } from './hash.ts';
import { addressOfKey } from './signature.ts';

export interface DevKey {
  readonly address: string;
  readonly privateKey: string;
}

/** The mnemonic of every EVM dev node, so that everybody recognises these keys as test keys. */
export const testMnemonic = 'test test test test test test test test test test test junk';

/** Keys at m/44'/195'/0'/0/n, for n from 0. Addresses are hex. */
export async function accountKeys(mnemonic: string, count: number): Promise<readonly DevKey[]> {
  // By Node's own PBKDF2. In JavaScript it takes a tenth of a second.
  const seed = await mnemonicToSeedWebcrypto(mnemonic);
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/195'/0'/0");
  return Array.from({ length: count }, (_, index) => {
    const privateKey = parent.deriveChild(index).privateKey;
    if (privateKey === null || privateKey === undefined) throw new Error(`no private key at index ${index}`);
    return keyOf(bytesToHex(privateKey));
  });
}

/** 27 fixed keys, in the order in which their owners take turns. */
export function witnessKeys(): readonly DevKey[] {
  return Array.from({ length: 27 }, (_, index) => keyOf(sha256(textToHex(`tron-dev witness ${index}`))));
}

function keyOf(privateKey: string): DevKey {
  return { address: addressOfKey(privateKey), privateKey };
}
