// Trouble with something outside: thrown by adapters alone, handled by roles alone.

/** What went wrong, as metrics name it. The list is closed: a value is never made from an answer. */
export const outageKinds = [
  /** No answer: unreachable, timed out, cut off, or resting behind an open circuit. */
  'unavailable',
  /** Not there yet: a block above the provider's head, a finality that has not come as far. */
  'not-yet',
  /** An answer that contradicts itself, the request, or the identity of the chain. */
  'invalid',
  /** Providers report different things, and no quorum reports the same. */
  'disagreement',
  /** The provider asks for a lower rate. */
  'throttled',
  /** The provider never can: an unknown method, a pruned state, a contract without that function. */
  'unsupported',
] as const;
export type OutageKind = (typeof outageKinds)[number];

export interface OutageOptions {
  /** `unavailable` unless said otherwise. */
  readonly kind?: OutageKind;
  /** Whether asking again later may help; by default everything but `unsupported`. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** I/O failed or gave an answer that cannot be used. Nothing is known to have happened. */
export class Outage extends Error {
  override readonly name = 'Outage';
  readonly kind: OutageKind;
  readonly retryable: boolean;

  constructor(message: string, options: OutageOptions = {}) {
    const { kind = 'unavailable', retryable, cause } = options;
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.retryable = retryable ?? kind !== 'unsupported';
  }
}
