// Every business "no" of Ducat, one code each, with what the merchant needs to mend the request.

/** What Ducat refuses. The wire's numbers are keyed by these names in the room that owns the wire. */
export const refusalCodes = [
  'field-invalid',
  'order-conflict',
  'order-limit',
  'qr-code-conflict',
  'currency-unknown',
  'currency-off',
  'starting',
  'order-unknown',
  'rate-unavailable',
  'payout-unknown',
  'payout-conflict',
  'payout-limit',
  'balance-short',
  'fee-unavailable',
  'chain-halted',
  'code-locked',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** A refusal is a value, never thrown. `field` names the request field at fault where there is one. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly field?: string;
  readonly message: string;
  /** Seconds to wait before the next try, where waiting helps. */
  readonly retryAfterS?: number;
}

/** A field that is well-formed text but not acceptable for what it asks. */
export function fieldInvalid(field: string, message: string): Refusal {
  return { code: 'field-invalid', field, message: `${field} ${message}` };
}
