// What the gateway may ask of the process that holds the keys.
import type { ChainFamily } from '@ducat/core/chain/chain';

/** Every method throws an Outage when the signer cannot be reached or does not answer as it must. */
export interface SignerPort {
  /**
   * The BIP-32 extended public key of the hardened account m/44'/<coin type of the family>'/account'. `account` is an
   * integer, 0 ≤ account < 2^31. The same question always has the same answer.
   */
  accountPublicKey(family: ChainFamily, account: number): Promise<string>;
}
