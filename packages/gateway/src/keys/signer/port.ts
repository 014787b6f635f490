// What the gateway may ask of the process that holds the keys.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { SignAnswer } from '@ducat/core/signing/sign-answer';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';

/** Every method throws an Outage when the signer cannot be reached or does not answer as it must. */
export interface SignerPort {
  /**
   * The BIP-32 extended public key of the hardened account m/44'/<coin type of the family>'/account'. `account` is an
   * integer, 0 ≤ account < 2^31. The same question always has the same answer.
   */
  accountPublicKey(family: ChainFamily, account: number): Promise<string>;
}

/** What the roles that send may ask besides. */
export interface SigningPort {
  /**
   * Signs, or says why not. The same intent has the same answer, down to the byte, however often it is asked, so after
   * an Outage it is asked again. `logSequence` is the highest that any answer gave, 0 before the first: a signer whose
   * log is shorter was restored from an old copy, and goes into safe mode rather than sign twice.
   */
  sign(intent: TransferIntent, logSequence: number): Promise<SignAnswer>;
}
