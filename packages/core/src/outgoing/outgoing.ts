// An outgoing transaction: one transfer that leaves an address of ours, from its intent to its proof.

/**
 * - `waiting`: stored, and nothing more. The only state that can be cancelled.
 * - `prepared`: it has its place among those of its sender, and its terms; the signer is asked for exactly this.
 * - `signed`: signed bytes are stored, and may have been sent. Only proof ends it.
 * - `succeeded`, `failed`, `mismatched`: final, see `Verdict`.
 * - `cancelled`: nothing was ever signed.
 */
export const outgoingStates = [
  'waiting',
  'prepared',
  'signed',
  'succeeded',
  'failed',
  'mismatched',
  'cancelled',
] as const;

export type OutgoingState = (typeof outgoingStates)[number];

/** Transactions of one sender with a nonce that no block holds yet: so many every node's pool guarantees to keep. */
export const MOST_PENDING = 16;

/** Transactions of one sender with a nonce that are not final: where blocks stop becoming final, paying stops as well. */
const MOST_IN_FLIGHT = 1_024;

/** How many more nonces may be given out. */
export function nonceRoom({
  pending,
  inFlight,
}: {
  readonly pending: number;
  readonly inFlight: number;
}): number {
  return Math.max(0, Math.min(MOST_PENDING - pending, MOST_IN_FLIGHT - inFlight));
}

/** Transactions of a chain that are not final, with all that was signed of each: blocks are asked for every one by name. */
export const MOST_OPEN = 100_000;

/** Higher offers have room beyond that: where nothing becomes final any more, they may be what it takes. */
export const MOST_OPEN_WITH_OFFERS = 110_000;

/** How long signed bytes on Tron can be included. Short, as nothing is built anew before it has passed for good. */
export const TRON_LIFE_MS = 300_000;

/**
 * Whether a transaction with an expiry can never be included any more: the final block is younger, and the books hold no
 * inclusion of it up to there. `finalTime` is Unix seconds rounded down, so it proves no less than it says.
 */
export function isProvenDead(expiresAtMs: number, finalTime: number): boolean {
  // mark: expired-by-the-final-block
  return finalTime * 1_000 > expiresAtMs;
}

/** How far a sender is by our books, and by a quorum at the same final block. */
export interface SenderCount {
  /** All nonces below it are spent by transactions of ours that are final. */
  readonly booked: number;
  /** What a quorum reports at that block. */
  readonly reported: number;
  /** The lowest nonce of a transaction of ours that is not final; null where there is none. */
  readonly lowestOpen: number | null;
}

/** Why nothing may be signed for this sender any more; null where all is well. */
export function reasonToStop({ booked, reported, lowestOpen }: SenderCount): string | null {
  // mark: foreign-nonce-stops-the-sender
  if (reported > booked) return `nonce ${booked} was used by a transaction that is not in the books`;
  if (lowestOpen !== null && lowestOpen < booked)
    return `nonce ${lowestOpen} was used by another transaction than ours`;
  // Behind a fork below the final height. What has a higher nonce could never be included.
  if (reported < booked) return `nonce ${reported} is free again: a final transaction of ours is gone`;
  return null;
}
