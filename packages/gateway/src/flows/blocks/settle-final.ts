// Lets blocks become final: their transfers are booked, orders change, and events are written.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { Tx } from '../../db/postgres/tx.ts';
import { findBlock, pruneBlocksBelow } from '../../db/tables/blocks.ts';
import { lockCursor, raiseFinal } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { findUnnamed } from '../../db/tables/outgoing/inclusions.ts';
import { lockTransfersToSettle, type PlacedDue } from '../../db/tables/transfers/settle-transfers.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { type EndedOutgoing, settleOutgoing } from '../outgoing/settle-outgoing.ts';
import { endColdTransfers } from '../collections/end-cold-transfers.ts';
import { endPayouts } from '../payouts/end-payouts.ts';
import { NOTHING_SETTLED, SETTLED_AT_ONCE, type Settled, type Settling, settleThrough } from './settle.ts';

export interface SettleFinal extends Settling, PayoutEventWriting {
  readonly chain: Settling['chain'] & Pick<ChainDefinition, 'windowBlocks'>;
  /** The block that a quorum reports as final, with its hash. */
  readonly final: KnownBlock;
  /** The lease under which this process watches the chain. */
  readonly lease: HeldLease;
}

export type SettledFinal =
  /** With `isBehind`, more blocks are final than one database transaction settles: the next call goes on. */
  | {
      readonly outcome: 'settled';
      readonly settled: Settled;
      /** Outgoing transactions that these blocks hold. */
      readonly ended: readonly EndedOutgoing[];
      readonly isBehind: boolean;
    }
  /**
   * This block holds a transaction of ours that was not asked for when the block was read, as after a failover that lost a
   * signature. It has to be undone and read again; nothing was written.
   */
  | { readonly outcome: 'unnamed'; readonly block: number }
  /** The books hold another block at the final height; nothing was written. */
  | { readonly outcome: 'fork' }
  | { readonly outcome: 'halted'; readonly reason: string }
  /** Another process watches the chain now; nothing was written. */
  | { readonly outcome: 'lease-lost' };

// ~ tour 11/15: what was seen becomes money and events, in one transaction.
// → packages/core/src/order/transition.ts
/**
 * Settles as many whole blocks as fit into one share. The first block is always settled, however large it is, because half
 * a block is never shown as final. A final block that was never read is below our first block and holds nothing of ours.
 */
export async function settleFinal(tx: Tx, input: SettleFinal): Promise<SettledFinal> {
  const { chain, final, nowMs } = input;
  if (!(await holdsLease(tx, watchLease(chain.name), input.lease))) return { outcome: 'lease-lost' };
  const cursor = await lockCursor(tx, chain.name, nowMs);
  if (cursor.haltedReason !== null) return { outcome: 'halted', reason: cursor.haltedReason };
  const isNews = final.number > (cursor.finalNumber ?? -1);
  const own = isNews ? await findBlock(tx, chain.name, final.number) : null;
  if (own === null) return { outcome: 'settled', settled: NOTHING_SETTLED, ended: [], isBehind: false };
  // mark: final-hash-is-ours
  if (own.hash !== final.hash) return { outcome: 'fork' };

  // Late payments below wait for the search and are settled with it. They are left out, as they could fill the share.
  const range = { upTo: own.number, above: cursor.finalNumber };
  const due = await lockTransfersToSettle(tx, chain.name, range, SETTLED_AT_ONCE + 1);
  const reached = reachOf(due, own);
  const ready = due.filter(({ transfer }) => transfer.block.number <= reached.number);
  // Without its inclusion a transaction of ours would never end, although its transfer is final.
  // mark: settled-only-with-its-inclusion
  const isOurs = ready.some(({ promised }) => promised !== null);
  const searched = { above: cursor.finalNumber ?? -1, upTo: reached.number };
  const unnamed = isOurs ? await findUnnamed(tx, chain.name, searched) : null;
  if (unnamed !== null) return { outcome: 'unnamed', block: unnamed };
  const settled = await settleThrough(tx, input, { upTo: reached.number, ready, ...cursor });
  const ended = await settleOutgoing(tx, chain, reached.number, nowMs);
  await endPayouts(tx, ended, input);
  await endColdTransfers(tx, ended, nowMs);
  const isRaised = await raiseFinal(tx, chain.name, reached);
  // mark: unproven-never-final
  assert(isRaised, `${chain.name}: up to final block ${reached.number} a block is not proven`);
  await pruneBlocks(tx, { chain, before: cursor.finalNumber, reached: reached.number });
  return { outcome: 'settled', settled, ended, isBehind: reached.number < own.number };
}

/** Blocks are pruned once in so many heights. The window may be a little longer than it has to be. */
const PRUNE_EVERY = 16;

async function pruneBlocks(
  tx: Tx,
  { chain, before, reached }: { chain: SettleFinal['chain']; before: number | null; reached: number },
): Promise<void> {
  const share = (number: number) => Math.floor(number / PRUNE_EVERY);
  if (before !== null && share(before) === share(reached)) return;
  await pruneBlocksBelow(tx, chain.name, reached - chain.windowBlocks);
}

interface Reach {
  readonly number: number;
  readonly time: number;
}

/** The last block that fits into the share as a whole. If not even the first block fits, it is the first block. */
function reachOf(due: readonly PlacedDue[], final: Reach): Reach {
  const beyond = due[SETTLED_AT_ONCE]?.transfer.block.number;
  if (beyond === undefined) return final;
  const whole = due.findLast(({ transfer }) => transfer.block.number < beyond) ?? due[0];
  return whole?.transfer.block ?? final;
}
