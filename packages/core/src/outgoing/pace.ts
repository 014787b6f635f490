// When an outgoing transaction is polled, retried or replaced.

/** Milliseconds. The pause after the first failure; it doubles with each further one. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** A node of Tron drops a broadcast transaction after 60 s, so nodes are asked for it sooner. */
const LEAST_LOOK_MS = 10_000;
const LONGEST_LOOK_MS = 30_000;
const BLOCKS_PER_LOOK = 3;

/** A transaction is replaced only after so many blocks and so much time. */
const BLOCKS_TO_REPLACE = 3;
const LEAST_REPLACE_MS = 15_000;

/** Bounds of the pause between rounds: a round that finds no work still costs a few statements. */
const SHORTEST_ROUND_MS = 200;
const LONGEST_ROUND_MS = 1_000;

/** After so many rounds in a row in which nothing was due, each further one makes the rest twice as long. */
const ROUNDS_AT_PACE = 4;
const LONGEST_REST_MS = 4_000;

/** How long a transaction rests that a block holds: it only has to become final. After a reorg it is due at once. */
export const INCLUDED_LOOK_MS = 60_000;

/** A signed sweep in trouble for so long is given up: all later transactions of the gas wallet wait for its nonce. */
export const GIVE_UP_SWEEP_MS = 60 * 60 * 1_000;

/** How long a payer rests between rounds. It depends on the block time, because each block may free nonces. */
export function roundMs(blockTimeMs: number): number {
  return Math.min(LONGEST_ROUND_MS, Math.max(SHORTEST_ROUND_MS, blockTimeMs / 2));
}

/** The same after so many rounds in a row in which nothing was due. */
export function restMs(blockTimeMs: number, rounds: number): number {
  return Math.min(LONGEST_REST_MS, roundMs(blockTimeMs) * 2 ** Math.max(0, rounds - ROUNDS_AT_PACE));
}

/** How long to wait after so many failures in a row, from 1. */
export function pauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, Math.max(0, failures - 1)));
}

/** How long after a broadcast the nodes are asked whether they still have the transaction. */
export function lookMs(blockTimeMs: number): number {
  return Math.min(LONGEST_LOOK_MS, Math.max(LEAST_LOOK_MS, BLOCKS_PER_LOOK * blockTimeMs));
}

/** How long a variant may wait for a block before it is replaced. */
export function replaceAfterMs(blockTimeMs: number): number {
  return Math.max(LEAST_REPLACE_MS, BLOCKS_TO_REPLACE * blockTimeMs);
}
