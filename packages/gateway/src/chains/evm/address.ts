// Addresses of EVM chains: derived from public keys alone, lower case inside, EIP-55 outside.
import { LRUCache } from 'lru-cache';
import type { AddressScheme } from '../port/address-scheme.ts';
import { accountAddress } from '../keys/account-address.ts';
import { keccakOfBytes } from '../keys/keccak.ts';

/** Throws Bug where the key is not an account-level extended public key, or the index not a BIP-32 one. */
export const evmAddressScheme: AddressScheme = {
  derive: (accountPublicKey, index, branch) => `0x${accountAddress(accountPublicKey, index, branch)}`,
  canonical(text) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
    const lower = text.toLowerCase();
    // Letters of one case carry no checksum. Letters of both cases carry one, and it has to be right.
    const digits = text.slice(2);
    const uniform = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return uniform || checksummed(lower) === text ? lower : null;
  },
  display(canonical) {
    const known = shown.get(canonical);
    if (known !== undefined) return known;
    const text = checksummed(canonical);
    shown.set(canonical, text);
    return text;
  },
};

/** Every answer names contracts, and each answer to a payer's page names the order's address, so their texts are kept. */
const shown = new LRUCache<string, string>({ max: 2_048 });

function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const digest = keccakOfBytes(Buffer.from(digits, 'latin1'));
  let text = '0x';
  for (const [index, digit] of Array.from(digits).entries()) {
    text += Number.parseInt(digest[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return text;
}
