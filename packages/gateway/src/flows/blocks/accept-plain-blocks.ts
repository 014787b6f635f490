// Takes several blocks into the books at once, far behind the head, where nothing about any of them is in question.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { type KnownBlock, placeBlock } from '@ducat/core/chain/local-chain';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { findOurs } from '../../db/tables/addresses.ts';
import { insertBlocks } from '../../db/tables/blocks.ts';
import { lockCursor, moveHead } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { findRepeated, insertTransfers } from '../../db/tables/transfers.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** A block as it was read. */
export interface PlainBlock {
  readonly header: BlockHeader;
  readonly transfers: readonly Transfer[];
}

export interface AcceptPlainBlocks {
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  /** At least one, in the order of the chain; nothing becomes final with them. */
  readonly blocks: readonly PlainBlock[];
  readonly nowMs: number;
  /** Under which this process watches the chain. */
  readonly lease: HeldLease;
}

/** Movements whose addresses are looked up in one transaction; more are taken block by block. */
export const MOST_AT_ONCE = 20_000;

/**
 * How many transfers of ours each block holds, once all blocks are in the books and the head stands on the last of them.
 * Null where one of them is not the plain next block, and then nothing was written: `acceptBlock` takes them one by one
 * and says what is wrong, so a refusal has one place. Alone, a block waits for nine answers of the database and a disk
 * write; while a chain is caught up with, that took longer than reading it.
 */
export async function acceptPlainBlocks(
  tx: Tx,
  { chain, blocks, nowMs, lease }: AcceptPlainBlocks,
): Promise<readonly number[] | null> {
  const movements = blocks.reduce((sum, { transfers }) => sum + transfers.length, 0);
  if (movements > MOST_AT_ONCE || !(await holdsLease(tx, watchLease(chain.name), lease))) return null;
  const cursor = await lockCursor(tx, chain.name, nowMs);
  const tip = isOpen(cursor) ? extended(cursor.head, blocks) : null;
  if (tip === null) return null;
  const ours = await findOurs(
    tx,
    chain.family,
    new Set(blocks.flatMap(({ transfers }) => transfers.map(({ to }) => to))),
  );
  const kept = blocks.map(({ header, transfers }) => ({
    header,
    transfers: transfers.filter(({ to }) => ours.has(to)),
  }));
  // Twice in one of these blocks, in two of them, or in the books before: it is the same question.
  // mark: one-effect-one-transfer-at-once
  const repeated = await findRepeated(
    tx,
    chain.family,
    kept.flatMap(({ transfers }) => transfers),
  );
  if (repeated !== null) return null;
  await insertBlocks(
    tx,
    chain.name,
    blocks.map(({ header }) => header),
  );
  await insertTransfers(tx, chain.family, kept);
  await moveHead(tx, chain.name, tip, nowMs);
  return kept.map(({ transfers }) => transfers.length);
}

/** A chain that runs and has its first block; that one says where the chain begins. */
function isOpen(cursor: {
  readonly haltedReason: string | null;
  readonly startNumber: number | null;
}): boolean {
  return cursor.haltedReason === null && cursor.startNumber !== null;
}

/** The last of the blocks where each is the next one upon the one before; null where one is not. */
function extended(head: KnownBlock | null, blocks: readonly PlainBlock[]): BlockHeader | null {
  let tip: KnownBlock | null = head;
  for (const { header } of blocks) {
    if (tip === null || placeBlock(tip, header).kind !== 'next') return null;
    tip = header;
  }
  return blocks.at(-1)?.header ?? null;
}
