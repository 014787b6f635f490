// Takes one block into the books: its transfers are seen, what it made final is settled, the cursor moves.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { assert } from '@ducat/core/assert';
import { placeBlock } from '@ducat/core/chain/local-chain';
import { type DueTransfer, settleAll } from '@ducat/core/order/settle-all';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { EncodePaymentEvent } from '@ducat/core/webhook/event';
import { findOurs } from '../../db/tables/addresses.ts';
import { findBlock, insertBlocks, pruneBlocksBelow } from '../../db/tables/blocks.ts';
import { type ChainCursor, lockCursor, moveHead, raiseFinal } from '../../db/tables/cursors.ts';
import { eventRow } from '../../db/tables/event-row.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { insertEntries } from '../../db/tables/ledger.ts';
import { lockOrders, updateOrders } from '../../db/tables/orders.ts';
import { insertEvents } from '../../db/tables/outbox.ts';
import {
  findRepeated,
  insertTransfers,
  lockTransfersToSettle,
  markFinal,
  type RepeatedTransfer,
} from '../../db/tables/transfers.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AcceptBlock {
  readonly chain: Pick<ChainDefinition, 'name' | 'family' | 'windowBlocks'>;
  readonly header: BlockHeader;
  readonly transfers: readonly Transfer[];
  /** A block at or below this one that is final by count and by the chain's own word, with its agreed hash. */
  readonly final: { readonly number: number; readonly hash: string } | null;
  readonly encode: EncodePaymentEvent;
  /** Makes the id of a new event. */
  readonly newEventId: () => string;
  readonly nowMs: number;
  /** Under which this process watches the chain. */
  readonly lease: HeldLease;
}

/**
 * Transfers that are locked, settled and written at once. The server ends a transaction under a lease that pauses, and
 * what these bring is dealt with in a fraction of that.
 */
export const SETTLED_AT_ONCE = 2_000;

/** How much a final height settled. */
export interface SettledCount {
  readonly transfers: number;
  readonly events: number;
  /** More is final than one transaction settles: `settleFinal` goes on, and so does the next block. */
  readonly isBehind: boolean;
}

type Settling = Omit<AcceptBlock, 'header' | 'transfers' | 'final'>;
export type SettleFinal = Settling & Pick<AcceptBlock, 'final'>;

export type SettledFinal =
  | { readonly outcome: 'settled'; readonly settled: SettledCount }
  | Extract<AcceptedBlock, { readonly outcome: 'fork' | 'halted' | 'lease-lost' }>;

export type AcceptedBlock =
  | { readonly outcome: 'accepted'; readonly seen: number; readonly settled: SettledCount }
  /** The cursor is not where the caller believed; nothing was written, look again. */
  | { readonly outcome: 'stale' }
  /** The block does not follow ours, or the final hash is not ours: the chain forked; nothing was written. */
  | { readonly outcome: 'fork' }
  /** The block holds a transfer that the same chain holds already, which cannot be; nothing was written. */
  | { readonly outcome: 'repeats'; readonly transfer: RepeatedTransfer }
  | { readonly outcome: 'halted'; readonly reason: string }
  /** Another process watches the chain now; nothing was written. */
  | { readonly outcome: 'lease-lost' };

// ~ tour 8/12: the one transaction in which a block becomes money and events.
// → packages/core/src/order/transition.ts
/** Accepts the next block of a chain, or says why it is not the next one. */
export async function acceptBlock(tx: Tx, input: AcceptBlock): Promise<AcceptedBlock> {
  const { chain, header, nowMs } = input;
  if (!(await holdsLease(tx, watchLease(chain.name), input.lease))) return { outcome: 'lease-lost' };
  const cursor = await lockCursor(tx, chain.name, nowMs);
  if (cursor.haltedReason !== null) return { outcome: 'halted', reason: cursor.haltedReason };
  const placement = placeBlock(cursor.head, header);
  if (placement.kind === 'fork') return { outcome: 'fork' };
  if (placement.kind !== 'next') return { outcome: 'stale' };

  const final = await ownFinalBlock(tx, input, cursor);
  if (final === 'fork') return { outcome: 'fork' };
  // Nearly all that a block moves goes to strangers: whose addresses they are is asked once, and only once.
  const ours = await findOurs(tx, chain.family, new Set(input.transfers.map(({ to }) => to)));
  const transfers = input.transfers.filter(({ to }) => ours.has(to));
  const transfer = await findRepeated(tx, chain.family, transfers);
  // mark: one-effect-one-transfer
  if (transfer !== null) return { outcome: 'repeats', transfer };
  await insertBlocks(tx, chain.name, [header]);
  const seen = await insertTransfers(tx, chain.family, [{ header, transfers }]);
  await moveHead(tx, chain.name, header, nowMs);
  const settled = final === null ? NOTHING : await settleUpTo(tx, input, final);
  return { outcome: 'accepted', seen, settled };
}

/** Goes on settling where a block left off, without another block. */
export async function settleFinal(tx: Tx, input: SettleFinal): Promise<SettledFinal> {
  const { chain, nowMs } = input;
  if (!(await holdsLease(tx, watchLease(chain.name), input.lease))) return { outcome: 'lease-lost' };
  const cursor = await lockCursor(tx, chain.name, nowMs);
  if (cursor.haltedReason !== null) return { outcome: 'halted', reason: cursor.haltedReason };
  const final = await ownFinalBlock(tx, input, cursor);
  if (final === 'fork') return { outcome: 'fork' };
  return { outcome: 'settled', settled: final === null ? NOTHING : await settleUpTo(tx, input, final) };
}

const NOTHING: SettledCount = { transfers: 0, events: 0, isBehind: false };

interface FinalBlock {
  readonly number: number;
  readonly time: number;
}

/**
 * Our own block at the height said to be final, null where nothing new is final, or 'fork' where we hold another
 * block there. A height we never read lies before our first block and has nothing of ours in it.
 */
async function ownFinalBlock(
  tx: Tx,
  input: Pick<AcceptBlock, 'chain' | 'final'> & { readonly header?: BlockHeader },
  cursor: ChainCursor,
): Promise<FinalBlock | 'fork' | null> {
  const { chain, header, final } = input;
  if (final === null || final.number <= (cursor.finalNumber ?? -1)) return null;
  const own = final.number === header?.number ? header : await findBlock(tx, chain.name, final.number);
  if (own === null) return null;
  // mark: final-hash-is-ours
  return own.hash === final.hash ? { number: own.number, time: own.time } : 'fork';
}

/**
 * Settles as many whole blocks as make one share, the first of them however much it holds: half a block is never shown
 * as final. A block is bounded by what its chain lets into one.
 */
async function settleUpTo(tx: Tx, input: Settling, final: FinalBlock): Promise<SettledCount> {
  const { chain } = input;
  const due = await lockTransfersToSettle(tx, chain.name, final.number, SETTLED_AT_ONCE + 1);
  const reached = reachOf(due, final);
  let share: readonly DueTransfer[] = due
    .slice(0, SETTLED_AT_ONCE)
    .filter(({ transfer }) => transfer.block.number <= reached.number);
  let [transfers, events] = [0, 0];
  while (share.length > 0) {
    events += await settleShare(tx, input, share);
    transfers += share.length;
    if (share.length < SETTLED_AT_ONCE) break;
    share = await lockTransfersToSettle(tx, chain.name, reached.number, SETTLED_AT_ONCE);
  }
  await raiseFinal(tx, chain.name, reached);
  await pruneBlocksBelow(tx, chain.name, reached.number - chain.windowBlocks);
  return { transfers, events, isBehind: reached.number < final.number };
}

/** The last block that fits as a whole, or the first where not even that one does. */
function reachOf(due: readonly DueTransfer[], final: FinalBlock): FinalBlock {
  const beyond = due[SETTLED_AT_ONCE]?.transfer.block.number;
  if (beyond === undefined) return final;
  const whole = due.findLast(({ transfer }) => transfer.block.number < beyond) ?? due[0];
  return whole?.transfer.block ?? final;
}

/** Core decides what every transfer of a share means; a handful of statements write it. Returns the events. */
async function settleShare(tx: Tx, input: Settling, due: readonly DueTransfer[]): Promise<number> {
  const orders = await lockOrders(tx, [...new Set(due.flatMap(({ tradeNo }) => tradeNo ?? []))]);
  const settled = settleAll(due, orders);
  await insertEntries(tx, settled.entries, input.nowMs);
  await markFinal(tx, settled.dispositions);
  await updateOrders(tx, settled.orders);
  const events = settled.events.map((event) => {
    const order = orders.get(event.tradeNo);
    assert(order !== undefined, `order ${event.tradeNo} of an event was locked`);
    return eventRow(event, order, input);
  });
  await insertEvents(tx, events);
  return events.length;
}
