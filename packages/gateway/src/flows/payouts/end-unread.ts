// Ends a payout whose transaction stands in a block that the books skipped: by what a quorum reports of that final block.
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { bookNetworkFee } from '@ducat/core/ledger/recipes';
import { isPositive } from '@ducat/core/money/amount';
import { type Verdict, verdictOf } from '@ducat/core/outgoing/promise';
import { adoptionOf } from '@ducat/core/payout/own-transaction';
import { endUnread as decide, type Moved, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { endOutgoing } from '../../db/tables/outgoing/endings.ts';
import { insertInclusions } from '../../db/tables/outgoing/inclusions.ts';
import { raiseFinalNonces } from '../../db/tables/outgoing/senders.ts';
import {
  insertEnding,
  lockTransaction,
  type PayoutTransaction,
} from '../../db/tables/payouts/payout-endings.ts';
import { type LockedPayout, lockPayout } from '../../db/tables/payouts/payouts.ts';
import { writeMoved } from './write-moved.ts';

export interface EndUnread extends PayoutEventWriting {
  readonly tradeNo: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family' | 'currencies'>;
  /** What a quorum reports of a final block: inclusions of transactions of ours, and transfers. */
  readonly inclusions: readonly Inclusion[];
  readonly transfers: readonly Transfer[];
  /** Who looked, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
}

export type EndedUnread =
  | { readonly outcome: Moved['outcome']; readonly status: 'PAID' | 'FAIL' }
  | { readonly outcome: Unmoved['outcome'] | 'unknown' }
  /** The block holds no transaction of the payout. */
  | { readonly outcome: 'not-in-block' }
  /** The books have read this block, or the transaction was not open when blocks were skipped: they decide. */
  | { readonly outcome: 'not-skipped' };

/**
 * The block is the proof that the books lack: it holds one of the payout's own transactions, which moved exactly what was
 * promised, or failed and moved nothing. Every other one of it shares its nonce or has expired for good.
 */
export async function endUnread(tx: Tx, input: EndUnread): Promise<EndedUnread> {
  const { tradeNo, chain, nowMs } = input;
  const { startNumber } = await lockCursor(tx, chain.name, nowMs);
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return { outcome: 'unknown' };
  const transaction = await lockTransaction(tx, tradeNo);
  const inclusion = input.inclusions.find(({ txId }) =>
    transaction?.variants.some((variant) => variant.txId === txId),
  );
  if (transaction === null || inclusion === undefined) return { outcome: 'not-in-block' };
  // mark: only-skipped-blocks-are-looked-up
  const isOwn = transaction.variants.some(({ txId, isHeld }) => txId === inclusion.txId && !isHeld);
  const isSkipped = startNumber !== null && inclusion.block.number < startNumber && isOwn;
  if (!isSkipped || !transaction.mayBeUnread || transaction.state !== 'signed')
    return { outcome: 'not-skipped' };
  const heights = { startNumber, finalTime: null, haltedReason: null };
  if (adoptionOf(transaction, inclusion.txId, heights) !== 'succeeded') return { outcome: 'on-its-way' };
  const verdict = verdictIn(payout, transaction, inclusion, input);
  const step = decide(payout, { verdict, inclusion, from: transaction.from });
  if (step.outcome !== 'moved') return step;
  await settle(tx, payout, { transaction, inclusion, verdict }, input);
  await write(tx, payout, step, { ...input, inclusion });
  return { outcome: 'moved', status: verdict === 'succeeded' ? 'PAID' : 'FAIL' };
}

function verdictIn(
  { toAddress: to, receipt: amount }: LockedPayout,
  { from }: PayoutTransaction,
  inclusion: Inclusion,
  { chain, transfers }: EndUnread,
): Verdict {
  const isRead = chain.currencies.some(({ currencyId }) => currencyId === amount.currencyId);
  const moved = isRead ? transfers.filter(({ txId }) => txId === inclusion.txId) : null;
  return verdictOf({ from, to, amount }, inclusion, moved);
}

interface Found {
  readonly transaction: PayoutTransaction;
  readonly inclusion: Inclusion;
  readonly verdict: Verdict;
}

/** What reading the block would have written of the transaction: its inclusion, its end, its nonce and its fee. */
async function settle(
  tx: Tx,
  { appId }: LockedPayout,
  { transaction, inclusion, verdict }: Found,
  { chain, nowMs }: EndUnread,
): Promise<void> {
  const { outgoingId, senderId, nonce, from } = transaction;
  const { txId } = inclusion;
  await insertInclusions(tx, chain, [inclusion]);
  await endOutgoing(tx, chain.name, [{ outgoingId, txId, verdict }], nowMs);
  if (nonce !== null) await raiseFinalNonces(tx, new Map([[senderId, nonce + 1]]));
  const fee = bookNetworkFee(inclusion, { address: from, purpose: 'wallet', appId });
  if (isPositive(inclusion.fee)) await insertEntries(tx, [fee], nowMs);
}

async function write(
  tx: Tx,
  payout: LockedPayout,
  step: Moved,
  how: EndUnread & { readonly inclusion: Inclusion },
): Promise<void> {
  const { tradeNo, by, reason, nowMs, inclusion } = how;
  const { txId, block } = inclusion;
  await writeMoved(tx, payout, step, { ...how, end: { time: block.time, txId, by: null, reason: null } });
  // As for what a person saw on the chain: no block of the books has a position for it.
  const isPaid = step.payout.status === 'PAID';
  const transfer = isPaid ? { chain: payout.chain, txId, position: 'unread' } : null;
  await insertEnding(tx, { tradeNo, transfer, by, approvedBy: null, reason, atMs: nowMs });
}
