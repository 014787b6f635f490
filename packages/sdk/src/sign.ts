// Signing and comparing signatures with node:crypto, over the message that the contract defines.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isSignature, signatureHash, signedBytes } from './generated/signature.ts';

/** The signature of a body: 64 lower-case hexadecimal characters. */
export function sign(body: Uint8Array, timestamp: string, appKey: string): string {
  return createHmac(signatureHash, appKey)
    .update(signedBytes(body, timestamp, appKey))
    .digest('hex');
}

/** Checks in constant time whether a signature fits the body, for a signature in either case. */
export function isSignedBy(body: Uint8Array, timestamp: string, appKey: string, signature: string): boolean {
  if (!isSignature(signature)) return false;
  const expected = Buffer.from(sign(body, timestamp, appKey), 'hex');
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
