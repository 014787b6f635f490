// The name of a call, so that the call has its effect once however often it is sent (decision A5).
import type { Endpoint } from '@ducat/contract/endpoint';
import { idempotencyHeader, isIdempotencyKey } from '@ducat/contract/idempotency-key';
import { headerNames } from '@ducat/contract/signature';
import { singleHeader } from './single-headers.ts';

export interface CallName {
  /** The key that the caller chose, else the signature; each kind has its own prefix. */
  readonly key: string;
  /** In lower case. It does not cover the key, so an interceptor could send the same call under another key. */
  readonly signature: string;
}

/** Null where the header is given and is no valid key. */
export function callNameOf(rawHeaders: readonly string[], endpoint: Endpoint): CallName | null {
  const signature = (singleHeader(rawHeaders, headerNames.signature) ?? '').toLowerCase();
  const isGiven = rawHeaders.some(
    (text, index) => index % 2 === 0 && text.toLowerCase() === idempotencyHeader.toLowerCase(),
  );
  if (endpoint.takesIdempotencyKey !== true || !isGiven) return { key: `sign:${signature}`, signature };
  const key = singleHeader(rawHeaders, idempotencyHeader);
  return key !== null && isIdempotencyKey(key) ? { key: `key:${key}`, signature } : null;
}
