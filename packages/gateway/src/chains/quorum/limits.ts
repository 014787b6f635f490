// Every constant of the quorum, with its unit and its reason.

export const limits = {
  /** Milliseconds. The first backoff of a circuit: longer than a hiccup, shorter than anybody notices. */
  firstBackoffMs: 5_000,
  /**
   * Milliseconds. Nodes restart, and of two providers each one is needed. Wrong blocks of one provider cost one undone block
   * in this time.
   */
  longestBackoffMs: 60_000,
  /** Failures in a row. One lost connection in a thousand requests is ordinary and says nothing. */
  failuresToOpen: 3,
  /** Milliseconds. How much later than the others a small answer may come before it is not awaited any more. */
  voteHedgeMs: 1_000,
  /** Milliseconds. The same for a block: a block is large, and sixteen are read at once. */
  readHedgeMs: 5_000,
  /** Milliseconds of blocks. How far below the others a provider may be and still keep up. */
  lagMs: 15_000,
  /** Milliseconds for one provider to take bytes. Another provider has them by then, and they are broadcast again anyway. */
  broadcastMs: 8_000,
} as const;
