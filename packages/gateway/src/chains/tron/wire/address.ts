// Addresses of Tron: 21 bytes as lower-case hex inside (41...), base58check outside; both forms and 20 bytes are accepted.
import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { accountAddress } from '../../keys/account-address.ts';
import type { AddressScheme } from '../../port/address-scheme.ts';

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const base58Length = 34;
const mainnetPrefix = '41';

/** Throws Bug where the key is not an account-level extended public key, or the index not a BIP-32 one. */
export const tronAddressScheme: AddressScheme = {
  derive: (accountPublicKey, index, branch) =>
    mainnetPrefix + accountAddress(accountPublicKey, index, branch),
  canonical(text) {
    if (/^(?:41[0-9a-f]{40}|41[0-9A-F]{40})$/.test(text)) return text.toLowerCase();
    // The form of contracts and of the Ethereum-style API. It has no checksum, so letters of both cases mean that it was
    // edited.
    if (/^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(text)) return mainnetPrefix + text.slice(2).toLowerCase();
    return text.length === base58Length ? decoded(text) : null;
  },
  display: (canonical) => base58check.encode(Buffer.from(canonical, 'hex')),
};

/** Null for a wrong checksum, and for testnets, whose prefix is a0. */
function decoded(text: string): string | null {
  try {
    const hex = Buffer.from(base58check.decode(text)).toString('hex');
    return /^41[0-9a-f]{40}$/.test(hex) ? hex : null;
  } catch {
    return null;
  }
}
