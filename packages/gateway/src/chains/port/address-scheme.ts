// The address rules of a chain family. Pure: public keys only.

import type { KeyBranch } from '@ducat/core/signing/key-path';

export interface AddressScheme {
  /**
   * The canonical text of the address at `index` below an account-level extended public key: m/44'/c'/n'/0/index, or
   * m/44'/c'/n'/1/index on the branch of wallets.
   */
  derive(accountPublicKey: string, index: number, branch?: KeyBranch): string;
  /** The canonical text of an address in any of its accepted forms, or null. */
  canonical(text: string): string | null;
  /** The form shown to people and on the wire (EIP-55 for EVM). */
  display(canonical: string): string;
}
