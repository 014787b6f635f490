// The header that names a call which has no number of the merchant's own.

/** The header's name. Without it, the signature of the request names the call. */
export const idempotencyHeader = 'Idempotency-Key';

/** Visible ASCII; a header has no other text for sure. */
export const idempotencyKeyPattern = '^[!-~]{1,128}$';

/** Whether a text can be an idempotency key. */
export function isIdempotencyKey(text: string): boolean {
  return new RegExp(idempotencyKeyPattern).test(text);
}
