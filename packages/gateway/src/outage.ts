// Trouble with something outside: thrown by adapters alone, handled by roles alone.

export interface OutageOptions {
  /** Whether asking again later may help. */
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** I/O failed or gave an answer that cannot be believed. Nothing is known to have happened. */
export class Outage extends Error {
  override readonly name = 'Outage';
  readonly retryable: boolean;

  constructor(message: string, options: OutageOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.retryable = options.retryable;
  }
}
