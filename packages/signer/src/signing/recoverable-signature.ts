// Signs a digest deterministically, and gives out a signature only where it leads back to the same key.
import { secp256k1 } from '@noble/curves/secp256k1.js';

export interface RecoverableSignature {
  /** 32 bytes each. */
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  /** 0 or 1 */
  readonly recovery: number;
}

export interface KeyPair {
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
}

/**
 * RFC 6979, low s. Recovers the public key from the signature, and throws where it is not ours. A fault of the machine
 * during signing can make a wrong signature that reveals the private key, so a wrong one is never given out.
 */
export function signDigest(digest: Uint8Array, { privateKey, publicKey }: KeyPair): RecoverableSignature {
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' });
  const recovered = secp256k1.recoverPublicKey(signature, digest, { prehash: false });
  if (!Buffer.from(recovered).equals(publicKey)) throw new Error('A signature did not verify.');
  const recovery = signature[0];
  if (recovery !== 0 && recovery !== 1) throw new Error('A signature has no usable recovery bit.');
  return { r: signature.subarray(1, 33), s: signature.subarray(33, 65), recovery };
}
