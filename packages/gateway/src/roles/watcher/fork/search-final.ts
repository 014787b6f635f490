// Searches final blocks that the books never read for transactions, block by block, until all of these have expired.
import { isProvenDead } from '@ducat/core/outgoing/outgoing';
import type { SearchedBlocks } from '@ducat/core/payout/own-transaction';
import { readFinal } from './read-final.ts';

export interface SearchFinal {
  readonly from: number;
  /** The books hold all blocks from here on. */
  readonly below: number;
  /** When the last of the transactions expires. */
  readonly expiresAtMs: number;
  readonly txIds: ReadonlySet<string>;
  /** Whether a block that holds one of the transactions as failed ends the search too. */
  readonly failedToo: boolean;
}

export type Search =
  | { readonly outcome: 'searched'; readonly searched: SearchedBlocks }
  /** This block holds one of the transactions. */
  | { readonly outcome: 'held'; readonly number: number }
  /** No quorum calls this block final. */
  | { readonly outcome: 'not-final'; readonly number: number }
  | { readonly outcome: 'too-many' };

/** Throws `Outage` where no quorum answers, or where providers report different things. Reads `most` blocks at most. */
export async function searchFinal(
  chain: Parameters<typeof readFinal>[0],
  { from, below, expiresAtMs, txIds, failedToo }: SearchFinal,
  most: number,
): Promise<Search> {
  let searched: SearchedBlocks = { from, to: from - 1, time: 0 };
  for (let number = from; number < below && !isProvenDead(expiresAtMs, searched.time); number++) {
    if (number - from >= most) return { outcome: 'too-many' };
    const block = await readFinal(chain, number, txIds);
    if (block === null) return { outcome: 'not-final', number };
    // mark: searched-until-one-is-held
    if (block.inclusions.some(({ status }) => failedToo || status === 'succeeded'))
      return { outcome: 'held', number };
    searched = { from, to: number, time: block.header.time };
  }
  return { outcome: 'searched', searched };
}
