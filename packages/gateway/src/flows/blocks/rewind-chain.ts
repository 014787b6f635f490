// Sets the cursor of a halted chain to a block that a person chose, past a fork below the final height. Reverses nothing.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { Tx } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import { deleteBlocksAbove, findBlock, insertBlocks, insertReorg } from '../../db/tables/blocks.ts';
import { lockCursor, setCursor } from '../../db/tables/cursors.ts';
import { deleteInclusionsAbove } from '../../db/tables/outgoing/inclusions.ts';
import { markUnread } from '../../db/tables/outgoing/endings.ts';
import { countAsSigned } from '../../db/tables/outgoing/look-again.ts';
import { isUnsettledBetween, readBookedAbove } from '../../db/tables/transfers/booked-above.ts';
import { orphanTransfersAbove } from '../../db/tables/transfers/settle-transfers.ts';

export interface RewindChain {
  readonly chain: string;
  /** The hash of the cursor's head when the person looked. */
  readonly tipHash: string;
  /** The block from which the chain goes on. A quorum reports it as final. */
  readonly target: BlockHeader;
  /** The highest block that the books share with the quorum; null where there is none. */
  readonly ancestor: Pick<BlockHeader, 'number'> | null;
  /** Who decided the rewind, and why: kept in the audit log. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export type RewoundChain =
  /** `unread`: how many signed transactions of ours may stand in blocks that were skipped. */
  | { readonly outcome: 'rewound'; readonly orphaned: number; readonly unread: number }
  /** The chain is not halted. The cursor of a running watcher must not be set. */
  | { readonly outcome: 'runs' }
  /** The cursor moved since the person looked; nothing was written. */
  | { readonly outcome: 'changed' }
  /** A block above the target holds something booked. It would be read a second time and refused. */
  | { readonly outcome: 'booked-behind' }
  /** A transfer up to the target is seen and not final. Its block may be off the target's branch, and is not read again. */
  | { readonly outcome: 'unsettled' };

/** The chain stays halted: `resume` lets it go on from the target. What is booked stays booked (decision 0011). */
export async function rewindChain(tx: Tx, input: RewindChain): Promise<RewoundChain> {
  const { chain, tipHash, target, ancestor, by, reason, nowMs } = input;
  const { haltedReason, head, finalNumber } = await lockCursor(tx, chain, nowMs);
  if (haltedReason === null) return { outcome: 'runs' };
  if (head === null || head.hash !== tipHash) return { outcome: 'changed' };
  // mark: nothing-booked-is-read-again
  const booked = await readBookedAbove(tx, chain, target.number, 1);
  if (booked.length > 0) return { outcome: 'booked-behind' };
  const above = finalNumber ?? -1;
  if (await isUnsettledBetween(tx, chain, { above, upTo: target.number })) return { outcome: 'unsettled' };
  const isSkipping = (await findBlock(tx, chain, target.number))?.hash !== target.hash;
  // Transfers that were seen on the other branch and are not read again must never count.
  const common = isSkipping ? Math.min(target.number, ancestor?.number ?? -1) : target.number;
  const orphaned = await orphanTransfersAbove(tx, chain, common);
  await deleteInclusionsAbove(tx, chain, common, nowMs);
  // Final blocks of the other branch proved that some transactions expired without a block. The new branch may hold them.
  // mark: no-expiry-is-proven-by-another-branch
  await countAsSigned(tx, chain, nowMs);
  const unread = isSkipping ? await markUnread(tx, chain) : 0;
  await deleteBlocksAbove(tx, chain, -1);
  await insertBlocks(tx, chain, [{ header: target, isProven: false }]);
  await setCursor(tx, chain, target, { isSkipping, nowMs });
  await insertReorg(tx, { chain, from: head, ancestor: target, orphaned, atMs: nowMs });
  await appendAuditEntry(tx, {
    atMs: nowMs,
    personId: null,
    operation: 'chain.rewind',
    merchantId: null,
    subject: chain,
    detail: `from ${head.number} ${head.hash} to ${target.number} ${target.hash}, by ${by}: ${reason}`,
    address: '',
  });
  return { outcome: 'rewound', orphaned, unread };
}
