// The keys below the seed: their addresses, and signatures by them. No private key leaves it.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { branchNumber, type KeyPath } from '@ducat/core/signing/key-path';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { schemes } from '../schemes/schemes.ts';
import { signAuthorisations } from './evm-sweep.ts';
import { signEvmTransaction } from './evm-transaction.ts';
import type { KeyPair } from './recoverable-signature.ts';
import type { SignedBytes } from './signed-bytes.ts';
import { signTronTransaction } from './tron-transaction.ts';

export interface Keyring {
  /** The canonical address of a key. */
  address(family: ChainFamily, path: KeyPath): string;
  /** Serialises the intent and signs it. Throws where a fault of the machine made a wrong signature. */
  sign(intent: TransferIntent): SignedBytes;
  /** Overwrites the derived keys that are cached. */
  wipe(): void;
}

/** How many derived branches are cached. Few wallets make most signatures, and a cached branch saves five derivations. */
const maxBranches = 64;
const maxAddresses = 4096;
const addressPrefixes: Readonly<Record<ChainFamily, string>> = { evm: '0x', tron: '41' };

/** The caller owns `seed` and wipes it; the keyring is of no use afterwards. */
export function createKeyring(seed: Uint8Array): Keyring {
  const branches = new Map<string, HDKey>();
  const addresses = new Map<string, string>();

  const branchOf = (family: ChainFamily, { account, branch }: KeyPath): HDKey => {
    const place = `${family}/${account}/${branch}`;
    const known = branches.get(place);
    if (known !== undefined) return known;
    if (branches.size >= maxBranches) wipe();
    const hardened = [44, schemes[family].coinType, account].map((step) => step + HARDENED_OFFSET);
    const derived = derive(HDKey.fromMasterSeed(seed), [...hardened, branchNumber(branch)]);
    branches.set(place, derived);
    return derived;
  };
  const withKey = <Value>(family: ChainFamily, path: KeyPath, use: (key: KeyPair) => Value): Value => {
    const child = branchOf(family, path).deriveChild(path.index);
    const { privateKey, publicKey } = child;
    if (privateKey === null || publicKey === null) throw new Error('A key below the seed has both parts.');
    try {
      return use({ privateKey, publicKey });
    } finally {
      // The library hands out a copy, which is ours to overwrite.
      privateKey.fill(0);
      child.wipePrivateData();
    }
  };
  const address = (family: ChainFamily, path: KeyPath): string => {
    const place = `${family}/${path.account}/${path.branch}/${path.index}`;
    const known = addresses.get(place);
    if (known !== undefined) return known;
    const text = addressPrefixes[family] + withKey(family, path, accountDigits);
    if (addresses.size >= maxAddresses) addresses.clear();
    addresses.set(place, text);
    return text;
  };
  function wipe(): void {
    for (const branch of branches.values()) branch.wipePrivateData();
    branches.clear();
  }
  return {
    address,
    sign: (intent) =>
      withKey(intent.family, intent.key, (key) =>
        intent.family === 'evm'
          ? signEvmTransaction(
              intent,
              key,
              signAuthorisations(intent, (path, use) => withKey('evm', path, use)),
            )
          : signTronTransaction(intent, address('tron', intent.key), key),
      ),
    wipe,
  };
}

function derive(master: HDKey, steps: readonly number[]): HDKey {
  let node = master;
  for (const step of steps) {
    const child = node.deriveChild(step);
    node.wipePrivateData();
    node = child;
  }
  return node;
}

/** The last 20 bytes of the hash of the public key. */
function accountDigits({ publicKey }: KeyPair): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString('hex');
}
