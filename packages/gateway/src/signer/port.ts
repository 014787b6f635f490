// What the gateway may ask of the process that holds the keys.

/** Every method throws an Outage when the signer cannot be reached or does not answer as it must. */
export interface SignerPort {
  /**
   * The BIP-32 extended public key of the hardened account m/44'/60'/account' (evm) or m/44'/195'/account' (tron).
   * `account` is an integer, 0 ≤ account < 2^31. The same question always has the same answer.
   */
  accountPublicKey(family: 'evm' | 'tron', account: number): Promise<string>;
}
