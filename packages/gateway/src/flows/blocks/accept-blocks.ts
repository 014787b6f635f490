// Takes blocks into the books: their transfers are seen and the head moves. Nothing becomes final here.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { type KnownBlock, placeBlock } from '@ducat/core/chain/local-chain';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { Tx } from '../../db/postgres/tx.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import { insertBlocks } from '../../db/tables/blocks.ts';
import { lockCursor, moveHead } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { findRepeatedInclusion, insertInclusions } from '../../db/tables/outgoing/inclusions.ts';
import {
  findRepeated,
  insertProposed,
  insertSeen,
  type PlacedTransfer,
  type RepeatedTransfer,
} from '../../db/tables/transfers/insert-transfers.ts';

/** A block as one provider reported it. */
export interface ReadBlock {
  readonly header: BlockHeader;
  /** In the order of the chain. Transfers between strangers are not written to the books. */
  readonly transfers: readonly Transfer[];
  /** Internal transactions that the provider reported. They count only once a balance confirms them. */
  readonly proposals: readonly Transfer[];
  /** Inclusions of the transactions that were asked for by id. Inclusions that are not ours are not written to the books. */
  readonly inclusions: readonly Inclusion[];
  /** Whether the transfers follow from the hash of the header. */
  readonly isProven: boolean;
}

export interface AcceptBlocks {
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  /** At least one block, in the order of the chain. All blocks are written at once, so the caller bounds their number. */
  readonly blocks: readonly ReadBlock[];
  readonly nowMs: number;
  /** The lease under which this process watches the chain. */
  readonly lease: HeldLease;
}

export type AcceptedBlocks =
  /** `seen` counts the transfers of ours in all accepted blocks. */
  | { readonly outcome: 'accepted'; readonly seen: number }
  /** The cursor is not where the caller expected it. Nothing was written, and the caller reads the cursor again. */
  | { readonly outcome: 'stale' }
  /**
   * The chain forked: the first `taken` blocks were accepted. `foreign` is a block of the other branch: the parent of the
   * next block, or the next block itself where it has the height of our tip.
   */
  | {
      readonly outcome: 'fork';
      readonly taken: number;
      readonly seen: number;
      readonly foreign: KnownBlock;
    }
  /** `block` repeats a transfer or inclusion that the chain holds already, which is impossible. Nothing was written. */
  | { readonly outcome: 'repeats'; readonly block: BlockHeader; readonly transfer: RepeatedTransfer }
  | { readonly outcome: 'halted'; readonly reason: string }
  /** Another process watches the chain now; nothing was written. */
  | { readonly outcome: 'lease-lost' };

// ~ tour 9/15: blocks enter the books and are only seen.
// → packages/gateway/src/chains/quorum/final-block.ts
/** Accepts the next blocks of a chain, one or many, or says why they are not the next ones. */
export async function acceptBlocks(
  tx: Tx,
  { chain, blocks, nowMs, lease }: AcceptBlocks,
): Promise<AcceptedBlocks> {
  if (!(await holdsLease(tx, watchLease(chain.name), lease))) return { outcome: 'lease-lost' };
  const cursor = await lockCursor(tx, chain.name, nowMs);
  if (cursor.haltedReason !== null) return { outcome: 'halted', reason: cursor.haltedReason };
  const links = follow(cursor.head, blocks);
  if (links === null) return { outcome: 'stale' };
  const { next, foreign } = links;
  const tip = next.at(-1)?.header;
  if (tip === undefined) return foreign === null ? { outcome: 'stale' } : forkAfter(next, 0, foreign);

  const ours = await keepOurs(tx, chain.family, next);
  const seen = ours.flatMap(({ transfers }) => transfers);
  // One query covers all cases: a transfer twice in one block, in two of these blocks, or in the books already.
  const repeated = await findRepeated(
    tx,
    seen.map(({ transfer }) => transfer),
  );
  // mark: one-effect-one-transfer
  if (repeated !== null) return { outcome: 'repeats', block: holderOf(repeated, next), transfer: repeated };
  const inclusions = next.flatMap((block) => block.inclusions);
  // mark: what-ended-is-not-booked-again
  const movedBy = seen.map(({ transfer }) => transfer.txId);
  const again = await findRepeatedInclusion(tx, chain.name, inclusions, movedBy);
  if (again !== null) {
    const transfer = { ...again, position: 'inclusion' };
    return { outcome: 'repeats', block: holderOf(transfer, next), transfer };
  }
  await insertBlocks(tx, chain.name, next);
  await insertSeen(tx, chain.family, seen);
  await insertInclusions(tx, chain, inclusions);
  await insertProposed(
    tx,
    chain.family,
    ours.flatMap(({ proposals }) => proposals),
  );
  await moveHead(tx, chain.name, tip, { first: next[0]?.header.number ?? tip.number, nowMs });
  return foreign === null
    ? { outcome: 'accepted', seen: seen.length }
    : forkAfter(next, seen.length, foreign);
}

function forkAfter(taken: readonly ReadBlock[], seen: number, foreign: KnownBlock): AcceptedBlocks {
  return { outcome: 'fork', taken: taken.length, seen, foreign };
}

interface Links {
  /** Each block's parent is the block before it. */
  readonly next: readonly ReadBlock[];
  /** Where the chain forks after `next`: the block of the other branch. Null where every block follows. */
  readonly foreign: KnownBlock | null;
}

/** Null where a block is neither the next block nor a sign of a fork. */
function follow(head: KnownBlock | null, blocks: readonly ReadBlock[]): Links | null {
  const next: ReadBlock[] = [];
  let tip = head;
  for (const block of blocks) {
    const { header } = block;
    const placement = placeBlock(tip, header);
    if (placement.kind === 'fork') return { next, foreign: foreignOf(tip, header) };
    if (placement.kind !== 'next') return null;
    next.push(block);
    tip = header;
  }
  return { next, foreign: null };
}

function foreignOf(tip: KnownBlock | null, { number, hash, parentHash }: BlockHeader): KnownBlock {
  return tip !== null && number > tip.number ? { number: number - 1, hash: parentHash } : { number, hash };
}

/** Our transfers of one block, each with its place. Proposals are placed after the transfers that the block shows. */
interface OursOfBlock {
  readonly transfers: readonly PlacedTransfer[];
  readonly proposals: readonly PlacedTransfer[];
}

/** Nearly all transfers are between strangers, so one query finds our addresses among all senders and recipients. */
async function keepOurs(
  tx: Tx,
  family: AcceptBlocks['chain']['family'],
  blocks: readonly ReadBlock[],
): Promise<readonly OursOfBlock[]> {
  const sides = blocks.flatMap(({ transfers, proposals }) => [
    ...transfers.flatMap(({ from, to }) => [from, to]),
    ...proposals.map(({ to }) => to),
  ]);
  const ours = await findOurs(tx, family, new Set(sides));
  return blocks.map(({ transfers, proposals }) => ({
    transfers: placed(
      transfers.filter(({ from, to }) => ours.has(from) || ours.has(to)),
      1,
    ),
    proposals: placed(
      proposals.filter(({ to }) => ours.has(to)),
      1 + transfers.length,
    ),
  }));
}

function placed(transfers: readonly Transfer[], first: number): readonly PlacedTransfer[] {
  return transfers.map((transfer, index) => ({ transfer, ordinal: first + index }));
}

/** The last block that holds the repeated transfer. */
function holderOf({ txId, position }: RepeatedTransfer, blocks: readonly ReadBlock[]): BlockHeader {
  const holds = ({ transfers, inclusions }: ReadBlock) =>
    transfers.some((transfer) => transfer.txId === txId && transfer.position === position) ||
    (position === 'inclusion' && [...inclusions, ...transfers].some((one) => one.txId === txId));
  const holder = blocks.findLast(holds);
  if (holder === undefined) throw new Error(`no block holds the repeated transfer ${txId} ${position}`);
  return holder.header;
}
