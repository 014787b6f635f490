// Addresses of EVM chains: derived from public keys alone, lower case inside, EIP-55 outside.
import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { assert } from '@ducat/core/assert';
import type { AddressScheme } from '../port.ts';
import { keccakOfBytes } from './keccak.ts';

const accountDepth = 3;
const receiving = 0;
const maxCachedAccounts = 256;

// The parent of an account's addresses costs two curve operations and is asked for in runs.
const parents = new Map<string, HDKey>();

/** Throws Bug where the key is not an account-level extended public key, or the index not a BIP-32 one. */
export const evmAddressScheme: AddressScheme = {
  derive(accountPublicKey, index) {
    const { publicKey } = parentOf(accountPublicKey).deriveChild(index);
    assert(publicKey !== null, 'a derived key has a public part');
    const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed');
    assert(typeof point !== 'string', 'without an encoding the point comes as bytes');
    // The first byte only says that the point is uncompressed.
    return `0x${keccakOfBytes(point.subarray(1)).slice(24)}`;
  },
  canonical(text) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
    const lower = text.toLowerCase();
    // Letters of one case carry no checksum; mixed ones carry one, and it has to be right.
    const digits = text.slice(2);
    const uniform = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return uniform || checksummed(lower) === text ? lower : null;
  },
  display: checksummed,
};

function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const digest = keccakOfBytes(Buffer.from(digits, 'latin1'));
  let text = '0x';
  for (const [index, digit] of Array.from(digits).entries()) {
    text += Number.parseInt(digest[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return text;
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
