// Rolls a chain back to the ancestor it shares with the nodes. Nothing that was final is ever undone here.
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import { deleteBlocksAbove, findBlock, insertReorg } from '../../db/tables/blocks.ts';
import { clearHead, lockCursor, moveHead, setHalted } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { deleteInclusionsAbove } from '../../db/tables/outgoing/inclusions.ts';
import { orphanTransfersAbove } from '../../db/tables/transfers/settle-transfers.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export type UndoneBlocks =
  | { readonly outcome: 'undone'; readonly depth: number; readonly orphaned: number }
  /** Someone else moved the cursor; look again. */
  | { readonly outcome: 'stale' }
  /** The fork lies below what was final: the chain is stopped, a human decides. */
  | { readonly outcome: 'halted'; readonly reason: string }
  /** Another process watches the chain now; nothing was written. */
  | { readonly outcome: 'lease-lost' };

export interface UndoBlocks {
  readonly chain: string;
  /** The tip the fork was found under. */
  readonly tip: KnownBlock;
  /** The highest common block, null where the nodes hold another block at every height that we keep. */
  readonly ancestor: KnownBlock | null;
  readonly nowMs: number;
  /** Under which this process watches the chain. */
  readonly lease: HeldLease;
}

/** Undoes the blocks above the ancestor: their transfers are orphaned, the cursor goes back, the reorg is recorded. */
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
