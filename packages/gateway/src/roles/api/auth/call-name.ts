// What names a call, so that it has its effect once however often it is sent (decision A5).
import type { Endpoint } from '@ducat/contract/endpoint';
import { idempotencyHeader, isIdempotencyKey } from '@ducat/contract/idempotency-key';
import { headerNames } from '@ducat/contract/signature';
import { singleHeader } from './single-headers.ts';

/**
 * The key that the caller chose, else the signature: a request that is sent again as it was carries the same one. Null
 * where the header is there and is none. The two kinds of names never meet.
 */
export function callNameOf(rawHeaders: readonly string[], endpoint: Endpoint): string | null {
  const isGiven = rawHeaders.some(
    (text, index) => index % 2 === 0 && text.toLowerCase() === idempotencyHeader.toLowerCase(),
  );
  if (endpoint.takesIdempotencyKey !== true || !isGiven) {
    return `sign:${(singleHeader(rawHeaders, headerNames.signature) ?? '').toLowerCase()}`;
  }
  const key = singleHeader(rawHeaders, idempotencyHeader);
  return key !== null && isIdempotencyKey(key) ? `key:${key}` : null;
}
