// The HMAC of the contract: computed for answers, checked on requests in constant time.
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { isSignature, signatureHash, signedTail } from '@ducat/contract/signature';

/** X-Sign of a body: 64 lower-case hexadecimal characters. */
export function sign(body: Uint8Array | string, timestamp: string, appKey: string): string {
  return mac(body, timestamp, appKey).digest('hex');
}

/** The key that made the signature, or null. Every key is tried, so the time shows nothing of which one it was. */
export function keyThatSigned<Key extends string>(
  body: Uint8Array,
  timestamp: string,
  signature: string,
  keys: readonly Key[],
): Key | null {
  // Buffer.from stops silently at the first character that is not hexadecimal, so the form is checked first.
  const given = isSignature(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(32);
  let found: Key | null = null;
  for (const key of keys) {
    const fits = timingSafeEqual(mac(body, timestamp, key).digest(), given);
    if (fits && isSignature(signature)) found = key;
  }
  return found;
}

/** Text is taken as UTF-8. */
function mac(body: Uint8Array | string, timestamp: string, appKey: string): Hmac {
  return createHmac(signatureHash, appKey).update(body).update(signedTail(timestamp, appKey));
}
