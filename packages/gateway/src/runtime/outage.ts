// Trouble with something outside: thrown by adapters alone, handled by roles alone.

/** What went wrong, as metrics name it. A value is added here, never made from what somebody answered. */
export type OutageKind =
  /** Unreachable, broken, behind or resting: nothing that was told is wrong. */
  | 'unanswered'
  | 'throttled'
  | 'lying-node'
  | 'wrong-chain'
  | 'lite-node'
  /** Endpoints tell different things, and two do not agree. */
  | 'disagreement'
  /** The same, about value inside transactions alone: one of them may only not keep it. */
  | 'inner-disagreement'
  /** A node has thrown away what it would need to trace a block that is that old. */
  | 'no-old-state'
  /** What is in one block cannot be shown or proved; the endpoints show the others. */
  | 'unreadable-block'
  /** A block repeats a transfer that stands in the books, and nobody confirms the block. */
  | 'repeated-transfer';

export interface OutageOptions {
  /** Whether asking again later may help. */
  readonly retryable: boolean;
  readonly cause?: unknown;
  /** `unanswered` unless said otherwise. */
  readonly kind?: OutageKind;
}

/** I/O failed or gave an answer that cannot be believed. Nothing is known to have happened. */
export class Outage extends Error {
  override readonly name = 'Outage';
  readonly retryable: boolean;
  readonly kind: OutageKind;

  constructor(message: string, options: OutageOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.retryable = options.retryable;
    this.kind = options.kind ?? 'unanswered';
  }
}
