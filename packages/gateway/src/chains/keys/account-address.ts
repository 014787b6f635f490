// The 20 bytes behind an address of an account, as all chains that kept Ethereum's curve and hash make them.
import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { assert } from '@ducat/core/assert';
import { keccakOfBytes } from './keccak.ts';

const accountDepth = 3;
const receiving = 0;
const maxCachedAccounts = 256;

// The parent of an account's addresses costs two curve operations and is asked for in runs.
const parents = new Map<string, HDKey>();

/**
 * 40 lower-case hex digits: the end of the hash of the public key at `index` below an account-level extended public
 * key (m/44'/c'/n'/0/index). Throws Bug where the key is not such a key, or the index not a BIP-32 one.
 */
export function accountAddress(accountPublicKey: string, index: number): string {
  const { publicKey } = parentOf(accountPublicKey).deriveChild(index);
  assert(publicKey !== null, 'a derived key has a public part');
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed');
  assert(typeof point !== 'string', 'without an encoding the point comes as bytes');
  // The first byte only says that the point is uncompressed.
  return keccakOfBytes(point.subarray(1)).slice(24);
}

function parentOf(accountPublicKey: string): HDKey {
  const known = parents.get(accountPublicKey);
  if (known !== undefined) return known;
  assert(
    accountPublicKey.startsWith('xpub'),
    'addresses are derived from a public key, never from a private one',
  );
  const account = HDKey.fromExtendedKey(accountPublicKey);
  assert(account.privateKey === null, 'addresses are derived from a public key, never from a private one');
  assert(account.depth === accountDepth, 'addresses are derived from the key of an account (depth 3)');
  const parent = account.deriveChild(receiving);
  if (parents.size >= maxCachedAccounts) parents.clear();
  parents.set(accountPublicKey, parent);
  return parent;
}
