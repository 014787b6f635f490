// An outgoing transaction: one transfer that leaves an address of ours, from its intent to its proof.

/**
 * - `waiting`: stored, and nothing more. The only state that can be cancelled.
 * - `prepared`: its nonce (on Tron its reference block and expiry) and its terms are fixed, as the signer is asked for them.
 * - `signed`: signed bytes are stored and may have been broadcast. Only proof ends this state.
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

/** The most transactions of one sender with a nonce that are in no block yet: every mempool guarantees to keep so many. */
export const MOST_PENDING = 16;

/** The most transactions of one sender with a nonce that are not final: where finality stops, paying stops as well. */
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

/** The most variants of a chain's transactions that are not final: every block is searched for each of them by its id. */
export const MOST_OPEN = 100_000;

/** The same limit for replacements. It is higher: where nothing becomes final any more, higher fees may be needed. */
export const MOST_OPEN_WITH_OFFERS = 110_000;

/** How long blocks on Tron can include signed bytes. Short, because another transaction is built only after this time. */
export const TRON_LIFE_MS = 300_000;

/**
 * Whether the final block is younger than the expiry of a transaction. No later block can include the transaction then, so
 * it is dead if the books hold no inclusion up to the final block. `finalTime` is Unix seconds: rounding down only delays
 * the proof.
 */
export function isProvenDead(expiresAtMs: number, finalTime: number): boolean {
  // mark: expired-by-the-final-block
  return finalTime * 1_000 > expiresAtMs;
}

/** Which nonces of a sender are spent, by our books and by a quorum, at the same final block. */
export interface SenderCount {
  /** All nonces below this one were spent by final transactions of ours. */
  readonly booked: number;
  /** The account's next nonce at that block, as a quorum reports it. */
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
  // After a fork below the final height. Until this nonce is spent again, no transaction with a higher one can be included.
  if (reported < booked) return `nonce ${reported} is free again: a final transaction of ours is gone`;
  return null;
}

/** An open transaction with bytes that may have been sent, and what the books and a quorum say at the final block. */
export interface OpenTransaction {
  /** Whether a block of the books holds one of its variants. */
  readonly isHeld: boolean;
  /** Whether a block that was skipped may hold it. */
  readonly mayBeUnread: boolean;
  /** Null on chains without nonces. */
  readonly nonce: number | null;
  /** When the last variant expires; null where a variant does not expire. */
  readonly expiresAtMs: number | null;
}

/**
 * What can still become of an open transaction.
 * - `held`: a block holds it, and ends it once that block is final.
 * - `unread`: a skipped block may hold it, and nothing that is read will prove what became of it.
 * - `overtaken`: another final transaction has its nonce.
 * - `expired`: no later block can include it.
 * - `open`: a later block may include it.
 */
export type Outlook = 'held' | 'unread' | 'overtaken' | 'expired' | 'open';

/** `reported`: the nonce of the account's next transaction after the final block; `finalTime`: its Unix seconds. */
export function outlookOf(
  { isHeld, mayBeUnread, nonce, expiresAtMs }: OpenTransaction,
  { reported, finalTime }: { readonly reported: number | null; readonly finalTime: number },
): Outlook {
  if (isHeld) return 'held';
  const isOvertaken = nonce !== null && reported !== null && nonce < reported;
  const isExpired = expiresAtMs !== null && isProvenDead(expiresAtMs, finalTime);
  if (!isOvertaken && !isExpired) return 'open';
  if (mayBeUnread) return 'unread';
  return isOvertaken ? 'overtaken' : 'expired';
}
