// Rolls a chain back to the common ancestor with its nodes. Nothing that was final is ever undone here.
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import { deleteBlocksAbove, findBlock, insertReorg } from '../../db/tables/blocks.ts';
import { clearHead, lockCursor, moveHead, setHalted } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { deleteInclusionsAbove } from '../../db/tables/outgoing/inclusions.ts';
import { orphanTransfersAbove } from '../../db/tables/transfers/settle-transfers.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export type UndoneBlocks =
  | { readonly outcome: 'undone'; readonly depth: number; readonly orphaned: number }
  /** Another transaction moved the cursor or halted the chain. Nothing was written; the caller reads the cursor again. */
  | { readonly outcome: 'stale' }
  /** The fork is below the final height: the chain is halted, and a person decides. */
  | { readonly outcome: 'halted'; readonly reason: string }
  /** Another process watches the chain now; nothing was written. */
  | { readonly outcome: 'lease-lost' };

export interface UndoBlocks {
  readonly chain: string;
  /** The tip under which the fork was found. */
  readonly tip: KnownBlock;
  /** The common ancestor; null where the nodes hold another block at every height that the books keep. */
  readonly ancestor: KnownBlock | null;
  readonly nowMs: number;
  /** The lease under which this process watches the chain. */
  readonly lease: HeldLease;
}

/** Undoes the blocks above the ancestor: their transfers are orphaned, the cursor is set back, and the reorg is recorded. */
export async function undoBlocks(tx: Tx, undo: UndoBlocks): Promise<UndoneBlocks> {
  const { chain, tip, ancestor, nowMs, lease } = undo;
  if (!(await holdsLease(tx, watchLease(chain), lease))) return { outcome: 'lease-lost' };
  const cursor = await lockCursor(tx, chain, nowMs);
  if (cursor.haltedReason !== null || cursor.head?.hash !== tip.hash) return { outcome: 'stale' };
  const kept = ancestor === null ? null : await findBlock(tx, chain, ancestor.number);
  if (kept !== null && kept.hash !== ancestor?.hash) return { outcome: 'stale' };
  // mark: nothing-final-is-undone
  if (cursor.finalNumber !== null && (kept === null || kept.number < cursor.finalNumber)) {
    const reason = `fork below the final height ${cursor.finalNumber} under block ${tip.number} ${tip.hash}`;
    await setHalted(tx, chain, reason);
    return { outcome: 'halted', reason };
  }
  const above = kept?.number ?? -1;
  const orphaned = await orphanTransfersAbove(tx, chain, above);
  await deleteInclusionsAbove(tx, chain, above, nowMs);
  await deleteBlocksAbove(tx, chain, above);
  if (kept === null) await clearHead(tx, chain, nowMs);
  else await moveHead(tx, chain, kept, { first: kept.number, nowMs });
  await insertReorg(tx, { chain, from: tip, ancestor: kept, orphaned, atMs: nowMs });
  const depth = tip.number - (kept?.number ?? (cursor.startNumber ?? tip.number) - 1);
  return { outcome: 'undone', depth, orphaned };
}
