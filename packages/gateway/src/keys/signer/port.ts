// The interface to the signer, the process that holds the keys.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { SignAnswer } from '@ducat/core/signing/sign-answer';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';

/** Every method throws Outage where the signer cannot be reached or its answer breaks the protocol. */
export interface SignerPort {
  /**
   * The BIP-32 extended public key of the hardened account m/44'/<coin type of the family>'/account'. `account` is an
   * integer, 0 ≤ account < 2^31. The same question always has the same answer.
   */
  accountPublicKey(family: ChainFamily, account: number): Promise<string>;
}

/** What the payer may also ask. */
export interface SigningPort {
  /**
   * Signs, or says why not. The same intent always gets the same answer, down to the byte, so the call is retried after an
   * Outage. `logSequence` is the highest one of all answers so far, 0 before the first. A signer whose signing log is
   * shorter was restored from an old copy: it goes into safe mode, because it could sign twice.
   */
  sign(intent: TransferIntent, logSequence: number): Promise<SignAnswer>;
}
