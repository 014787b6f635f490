// Where a block stands against the part of the chain we know: the next one, a known one, a gap or a fork.
import type { BlockHeader } from './transfer.ts';

/** A block as the window keeps it. */
export interface KnownBlock {
  readonly number: number;
  readonly hash: string;
}

export type Placement =
  | { readonly kind: 'next' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'behind' }
  | { readonly kind: 'gap'; readonly from: number; readonly to: number }
  | { readonly kind: 'fork' };

/**
 * Places a header against our tip. `tip` is null before the first block; any header may be the first. A header is a fork
 * where it has the tip's number and another hash, or the next number and another parent. A header below the tip is
 * `behind`: only the window shows whether it is on our branch.
 */
export function placeBlock(tip: KnownBlock | null, header: BlockHeader): Placement {
  if (tip === null) return { kind: 'next' };
  if (header.number === tip.number + 1) {
    return header.parentHash === tip.hash ? { kind: 'next' } : { kind: 'fork' };
  }
  if (header.number > tip.number + 1) return { kind: 'gap', from: tip.number + 1, to: header.number - 1 };
  if (header.number < tip.number) return { kind: 'behind' };
  return header.hash === tip.hash ? { kind: 'duplicate' } : { kind: 'fork' };
}

/**
 * The highest block that both sides have, given our window and the remote hashes by number; null when the
 * window holds no common block, which means that the fork is deeper than what is kept.
 */
export function commonAncestor(
  window: readonly KnownBlock[],
  remote: ReadonlyMap<number, string>,
): KnownBlock | null {
  let ancestor: KnownBlock | null = null;
  for (const block of window) {
    const shared = remote.get(block.number) === block.hash;
    if (shared && (ancestor === null || block.number > ancestor.number)) ancestor = block;
  }
  return ancestor;
}

/** Which blocks to read next: at most `batchBlocks`, never beyond the head; empty when we are up to date. */
export function nextRange(
  tip: KnownBlock | null,
  startAt: number,
  head: number,
  batchBlocks: number,
): readonly number[] {
  const first = tip === null ? startAt : tip.number + 1;
  const last = Math.min(head, first + batchBlocks - 1);
  const numbers: number[] = [];
  for (let number = first; number <= last; number++) numbers.push(number);
  return numbers;
}

/**
 * The head to begin a chain at: the highest one that `quorum` providers report, give or take `withinBlocks`; null where they
 * do not agree. The beginning of a chain is never corrected later, so a single report may not decide it, whether it is too
 * high or too low.
 */
export function headToBeginAt(heads: readonly number[], quorum: number, withinBlocks: number): number | null {
  const sorted = [...heads].sort((a, b) => b - a);
  return (
    sorted.find((head, place) => {
      const highest = sorted[place - quorum + 1];
      return highest !== undefined && highest - head <= withinBlocks;
    }) ?? null
  );
}
