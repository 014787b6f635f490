// What the signer must know of a chain family to derive its keys.

export interface Scheme {
  /** The registered BIP-44 (SLIP-44) coin type, the second step of the account path. */
  readonly coinType: number;
}
