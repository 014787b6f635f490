// Every constant of the quorum, with its unit and its reason.

export const limits = {
  /** Milliseconds. The first backoff of a circuit: longer than a hiccup, shorter than anybody notices. */
  firstBackoffMs: 5_000,
  /** Milliseconds. Nodes restart, and with two every one counts; wrong blocks of one provider cost no more than that. */
  longestBackoffMs: 60_000,
  /** In a row. One lost connection in a thousand requests is ordinary and says nothing. */
  failuresToOpen: 3,
  /** Milliseconds. How much later than the others a small answer may come before nobody waits for it. */
  voteHedgeMs: 1_000,
  /** Milliseconds. The same for a block, which is large, and of which sixteen are read at once. */
  readHedgeMs: 5_000,
  /** Milliseconds of blocks. How far below the others a provider may be that still keeps up. */
  lagMs: 15_000,
  /** Milliseconds for one provider to take bytes: another one has them already, and they are sent again anyway. */
  broadcastMs: 8_000,
} as const;
