// Sets the cursor of a halted chain to a block that a person chose, past a fork below the final height. Reverses nothing.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { Tx } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import { deleteBlocksAbove, insertBlocks, insertReorg } from '../../db/tables/blocks.ts';
import { lockCursor, setCursor } from '../../db/tables/cursors.ts';
import { deleteInclusionsAbove } from '../../db/tables/outgoing/inclusions.ts';
import { readBookedAbove } from '../../db/tables/transfers/booked-above.ts';
import { orphanTransfersAbove } from '../../db/tables/transfers/settle-transfers.ts';

export interface RewindChain {
  readonly chain: string;
  /** Where the cursor stood when the person looked: the hash of its head. */
  readonly tipHash: string;
  /** Where to go on: a block that a quorum calls final. */
  readonly target: BlockHeader;
  /** Who decided it, and why: kept in the audit log. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export type RewoundChain =
  | { readonly outcome: 'rewound'; readonly orphaned: number }
  /** Nothing may be set under a watcher that works. */
  | { readonly outcome: 'runs' }
  /** The cursor moved since the person looked; nothing was written. */
  | { readonly outcome: 'changed' }
  /** Behind the target stands something booked, which would be read again and refused. */
  | { readonly outcome: 'booked-behind' };

/** The chain stays halted: `resume` lets it go on from the target. What is booked stays booked (decision 0011). */
export async function rewindChain(tx: Tx, input: RewindChain): Promise<RewoundChain> {
  const { chain, tipHash, target, by, reason, nowMs } = input;
  const { haltedReason, head } = await lockCursor(tx, chain, nowMs);
  if (haltedReason === null) return { outcome: 'runs' };
  if (head === null || head.hash !== tipHash) return { outcome: 'changed' };
  // mark: nothing-booked-is-read-again
  const booked = await readBookedAbove(tx, chain, target.number, 1);
  if (booked.length > 0) return { outcome: 'booked-behind' };
  const orphaned = await orphanTransfersAbove(tx, chain, target.number);
  await deleteInclusionsAbove(tx, chain, target.number, nowMs);
  await deleteBlocksAbove(tx, chain, -1);
  await insertBlocks(tx, chain, [{ header: target, isProven: false }]);
  await setCursor(tx, chain, target, nowMs);
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
  return { outcome: 'rewound', orphaned };
}
