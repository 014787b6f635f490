// Derives public keys from the seed and wipes every private step on the way.
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import type { Scheme } from './scheme.ts';

/**
 * The BIP-32 extended public key of the hardened account m/44'/coin'/account' and its path.
 * `account` is an integer, 0 ≤ account < 2^31. From this key all deposit addresses follow, but no coin can be moved.
 */
export function accountPublicKey(
  seed: Uint8Array,
  scheme: Scheme,
  account: number,
): { xpub: string; path: string } {
  const steps = [44, scheme.coinType, account];
  let node = HDKey.fromMasterSeed(seed);
  for (const step of steps) {
    const child = node.deriveChild(step + HARDENED_OFFSET);
    node.wipePrivateData();
    node = child;
  }
  const xpub = node.publicExtendedKey;
  node.wipePrivateData();
  return { xpub, path: `m/${steps.map((step) => `${step}'`).join('/')}` };
}

/** First 16 hex digits of the master key's BIP-32 identifier; the first 8 are the fingerprint that wallets show. */
export function keyIdOf(seed: Uint8Array): string {
  const master = HDKey.fromMasterSeed(seed);
  const identifier = master.identifier;
  master.wipePrivateData();
  if (identifier === undefined) throw new Error('A master key without a public key is impossible.');
  return Buffer.from(identifier).toString('hex').slice(0, 16);
}
