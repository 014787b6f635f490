// The business codes of the response envelope: one list, with names and meanings.

/** Every business code that the `code` field can carry. Pinned by test: a code is never renumbered or reused. */
export const codes = [
  { code: 0, name: 'SUCCESS', meaning: 'success' },
  {
    code: 10002,
    name: 'OPERATION_FAILED',
    meaning:
      'operation failed: the request is right, but it cannot be done now (stale rate, chain paused, gateway starting and the like)',
  },
  {
    code: 10003,
    name: 'PARAMETER_ERROR',
    meaning: 'parameter error: msg names the field and says what is wrong',
  },
  {
    code: 10004,
    name: 'NOT_FOUND',
    meaning:
      'data does not exist: the number is unknown or belongs to another app; the answer does not say which',
  },
  {
    code: 10006,
    name: 'AUTHENTICATION_ERROR',
    meaning:
      'authentication error: a header is missing or doubled, the app is unknown or disabled, or it is of the wrong kind for the operation',
  },
  {
    code: 10007,
    name: 'TIMESTAMP_INVALID',
    meaning:
      'signature time not within the valid period: X-Timestamp is not ten digits or is over two minutes off',
  },
  {
    code: 10008,
    name: 'SIGNATURE_ERROR',
    meaning: 'signature error: X-Sign does not fit the body, the timestamp and the key',
  },
  {
    code: 20003,
    name: 'CURRENCY_NOT_SUPPORTED',
    meaning: 'this currency is temporarily not supported: it is off for the app, the chain or the gateway',
  },
  {
    code: 20009,
    name: 'TOO_FREQUENT',
    meaning: 'frequent operation: wait for the seconds given in Retry-After',
  },
] as const;

/** A business code, 0 included. */
export type Code = (typeof codes)[number]['code'];

/** A business code that says no: every code except 0. */
export type RefusalCode = Exclude<Code, 0>;
