// When an outgoing transaction is looked at again.

/** Milliseconds. The first pause after something stood in the way; it doubles. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** A node drops what it was sent after 60 s (Tron), so bytes are looked for sooner. */
const LEAST_LOOK_MS = 10_000;
const LONGEST_LOOK_MS = 30_000;
const BLOCKS_PER_LOOK = 3;

/** Nothing is replaced before it had this many blocks, and this much time. */
const BLOCKS_TO_REPLACE = 3;
const LEAST_REPLACE_MS = 15_000;

/** A round that finds nothing to do costs a few statements. */
const SHORTEST_ROUND_MS = 200;
const LONGEST_ROUND_MS = 1_000;

/** What a block holds is not looked at before it is final; where a reorg takes it out, it is looked at at once. */
export const INCLUDED_LOOK_MS = 60_000;

/** A signed sweep that has been in trouble for so long is given up: whatever the gas wallet sends after it waits. */
export const GIVE_UP_SWEEP_MS = 60 * 60 * 1_000;

/** How long a payer rests that has nothing to do: each block may make room for more. */
export function roundMs(blockTimeMs: number): number {
  return Math.min(LONGEST_ROUND_MS, Math.max(SHORTEST_ROUND_MS, blockTimeMs / 2));
}

/** How long to wait after so many failures in a row, from 1. */
export function pauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, Math.max(0, failures - 1)));
}

/** How long after bytes were sent nodes are asked whether they still have them. */
export function lookMs(blockTimeMs: number): number {
  return Math.min(LONGEST_LOOK_MS, Math.max(LEAST_LOOK_MS, BLOCKS_PER_LOOK * blockTimeMs));
}

/** How long a variant had its chance before it is replaced. */
export function replaceAfterMs(blockTimeMs: number): number {
  return Math.max(LEAST_REPLACE_MS, BLOCKS_TO_REPLACE * blockTimeMs);
}
