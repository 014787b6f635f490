// Plans where a halted chain goes on past a fork below its final height, and lists what was booked off the new branch.
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { ChainReader } from '../../../chains/port/reader.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { findBlock, readWindow } from '../../../db/tables/blocks.ts';
import { readCursors } from '../../../db/tables/cursors.ts';
import { type BookedAbove, readBookedAbove } from '../../../db/tables/transfers/booked-above.ts';
import { Outage } from '../../../runtime/outage.ts';

export interface RewindPlan {
  /** Where the cursor stands. */
  readonly head: KnownBlock;
  readonly finalNumber: number;
  /** The highest block that books and quorum agree on; null where the window holds none. */
  readonly ancestor: KnownBlock | null;
  /** Transfers and network fees booked above the ancestor, at most `MOST_BOOKED`. */
  readonly booked: readonly BookedAbove[];
  /** The block to go on from. */
  readonly target: BlockHeader;
  /** Whether blocks of the new branch up to the target are never read. */
  readonly isSkipping: boolean;
}

export type PlannedRewind =
  | { readonly outcome: 'planned'; readonly plan: RewindPlan }
  | { readonly outcome: 'nothing-final' }
  /** A quorum has our block at the final height: there is no such fork. */
  | { readonly outcome: 'no-fork'; readonly finalNumber: number }
  /** No quorum calls a block of the needed height final. */
  | { readonly outcome: 'not-yet'; readonly needed: number; readonly final: number | null };

/** Rows of one plan; reports of the books count the others. */
export const MOST_BOOKED = 1_000;

interface Looking {
  readonly chain: ChainReader;
  readonly reader: Reader;
  /** A height above the final one that a person chose, because a booked payment came again on the new branch. */
  readonly chosen: number | null;
}

/** Reads only; changes nothing. Throws `Outage` where no quorum answers. */
export async function planRewind({ chain, reader, chosen }: Looking): Promise<PlannedRewind> {
  const { name } = chain.definition;
  const { head = null, finalNumber = null } = (await readCursors(reader)).get(name) ?? {};
  if (head === null || finalNumber === null) return { outcome: 'nothing-final' };
  const needed = Math.max(finalNumber, chosen ?? 0);
  const agreed = await chain.finalBlock(needed);
  if (agreed?.number !== needed) return { outcome: 'not-yet', needed, final: agreed?.number ?? null };
  const ancestor = await findAncestor(chain, reader, finalNumber);
  if (chosen === null && ancestor?.number === finalNumber) return { outcome: 'no-fork', finalNumber };
  const above = ancestor?.number ?? -1;
  const booked = await readBookedAbove(reader, name, above, MOST_BOOKED);
  // Where nothing is booked above the ancestor, reading goes on from the ancestor, and no block is missed. Booked blocks
  // cannot be read again, so otherwise reading goes on above them. Without an ancestor, what lies between is unknown.
  const isClean = chosen === null && ancestor !== null && booked.length === 0;
  const target = await headerOf(chain, isClean ? ancestor : agreed);
  const isSkipping = (await findBlock(reader, name, target.number))?.hash !== target.hash;
  return { outcome: 'planned', plan: { head, finalNumber, ancestor, booked, target, isSkipping } };
}

/** The highest block of our window, at or below `atMost`, that a quorum has as well. */
async function findAncestor(chain: ChainReader, reader: Reader, atMost: number): Promise<KnownBlock | null> {
  const { name, windowBlocks } = chain.definition;
  const window = await readWindow(reader, name, Math.max(0, atMost - windowBlocks), atMost);
  for (const block of window) {
    const agreed = await chain.finalBlock(block.number);
    if (agreed?.number === block.number && agreed.hash === block.hash) return block;
  }
  return null;
}

async function headerOf(chain: ChainReader, { number, hash }: KnownBlock): Promise<BlockHeader> {
  const header = await chain.headerByHash(hash);
  if (header?.number === number) return header;
  throw new Outage(`no provider has block ${number} ${hash}`, { kind: 'not-yet' });
}
