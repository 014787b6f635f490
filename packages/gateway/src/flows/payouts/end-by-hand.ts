// A person ends a payout that the gateway cannot end by itself: by proof in the books, or by word where there can be none.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import { UNREAD_POSITION } from '@ducat/core/ledger/payout-recipes';
import { adoptionOf, failureOf, type KnownHeights } from '@ducat/core/payout/own-transaction';
import {
  adoptPayment,
  endMismatched,
  failPayout,
  type Moved,
  type Unmoved,
} from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { cancelWaiting } from '../../db/tables/outgoing/requests.ts';
import {
  endOpen,
  insertEnding,
  lockOutflow,
  lockTransaction,
  type PayoutTransaction,
  readFittingOutflow,
  readOdd,
} from '../../db/tables/payouts/payout-endings.ts';
import { type LockedPayout, lockPayout } from '../../db/tables/payouts/payouts.ts';
import { insertUnread } from '../../db/tables/transfers/insert-unread.ts';
import type { TransferIdentity } from '../../db/tables/transfers/receipts.ts';
import { settleFound } from '../outgoing/settle-found.ts';
import { writeMoved } from './write-moved.ts';

export interface EndByHand extends PayoutEventWriting {
  readonly tradeNo: string;
  readonly status: 'PAID' | 'FAIL';
  /** The transfer that paid the payout. Null where the payout's own transaction decides: it failed, or is mismatched. */
  readonly paidBy: PaidBy | null;
  /** Who ends the payout, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
  /** The approver who agrees; null where no approver was asked. */
  readonly approvedBy: string | null;
}

/** A transfer that a person found, with its inclusion as a quorum reports it: who paid the fee, and how much. */
export interface PaidBy extends TransferIdentity {
  readonly family: ChainFamily;
  readonly inclusion: Inclusion;
}

export type EndedByHand =
  | Moved['outcome']
  | Unmoved['outcome']
  | 'unknown'
  /** The wallet of the app has no such outflow, or the outflow paid another payout. */
  | 'no-such-outflow'
  /** The transaction of the payout has not failed for good. */
  | 'not-failed'
  /** An outflow that no payout has taken moved exactly what this payout promised, so the recipient may have the money. */
  | 'outflow-fits'
  /** The books can decide about the transaction of the payout, so a person's word is not accepted. */
  | 'not-mismatched';

export async function endByHand(tx: Tx, input: EndByHand): Promise<EndedByHand> {
  const { tradeNo, status, paidBy } = input;
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  if (paidBy !== null) return endPaid(tx, payout, paidBy, input);
  const transaction = await lockTransaction(tx, tradeNo);
  if (transaction?.state === 'mismatched') return endOdd(tx, payout, transaction, input);
  return status === 'PAID' ? 'not-mismatched' : endFailed(tx, payout, transaction, input);
}

async function endPaid(tx: Tx, payout: LockedPayout, paidBy: PaidBy, input: EndByHand): Promise<EndedByHand> {
  const { tradeNo, nowMs } = input;
  const transfer = await lockOutflow(tx, paidBy, payout);
  if (transfer === null) return 'no-such-outflow';
  const { txId } = transfer;
  const step = adoptPayment(payout, transfer);
  // Decided before anything is written: a refusal must leave the outgoing transaction as it was.
  if (step.outcome !== 'moved') return step.outcome;
  const transaction = await lockTransaction(tx, tradeNo);
  const adoption = adoptionOf(transaction, txId, await heightsOf(tx, payout));
  if (adoption === 'on-its-way') return adoption;
  if (adoption === 'taken-back') await cancelWaiting(tx, 'payout', tradeNo, nowMs);
  const own = adoption === 'succeeded' ? transaction : null;
  await settleFound(tx, { ...paidBy, txId, own, nowMs });
  return write(tx, payout, step, { ...input, txId, time: transfer.block.time });
}

async function endFailed(
  tx: Tx,
  payout: LockedPayout,
  transaction: PayoutTransaction | null,
  input: EndByHand,
): Promise<EndedByHand> {
  const { tradeNo, nowMs } = input;
  // mark: failed-by-proof-alone
  const proof = failureOf(transaction, await heightsOf(tx, payout));
  if (proof === null || transaction === null) return 'not-failed';
  const step = failPayout(payout, proof);
  // A restored backup does not know variants that were signed after it. Such a variant may have paid.
  // mark: failed-only-where-nothing-fits
  if (step.outcome === 'moved' && (await readFittingOutflow(tx, tradeNo)) !== null) return 'outflow-fits';
  if (step.outcome === 'moved' && transaction.state === 'waiting')
    await endOpen(tx, transaction.outgoingId, { state: 'failed', txId: proof.txId, nowMs });
  return write(tx, payout, step, { ...input, ...proof });
}

async function endOdd(
  tx: Tx,
  payout: LockedPayout,
  transaction: PayoutTransaction,
  input: EndByHand,
): Promise<EndedByHand> {
  const { status, approvedBy, by } = input;
  const odd = await readOdd(tx, transaction);
  if (odd === null) return 'not-mismatched';
  const isSeconded = approvedBy !== null && approvedBy !== by;
  const step = endMismatched(payout, odd, { status, isSeconded });
  const { txId, time, from } = odd;
  // The ending names the payout's own transaction, so that it cannot end another payout.
  const paidBy = status === 'PAID' ? { chain: payout.chain, txId, position: UNREAD_POSITION } : null;
  // The expected balance of the wallet is the sum of its transfers, so a transfer has to be written with the entry.
  // mark: a-word-writes-what-left
  if (paidBy !== null && step.outcome === 'moved') await insertUnread(tx, paidBy, { ...payout, from });
  return write(tx, payout, step, { ...input, paidBy, txId, time });
}

async function heightsOf(tx: Tx, { chain }: LockedPayout): Promise<KnownHeights> {
  const nowhere = { startNumber: null, finalTime: null, haltedReason: null };
  return (await readCursors(tx)).get(chain) ?? nowhere;
}

async function write(
  tx: Tx,
  payout: LockedPayout,
  step: Moved | Unmoved,
  how: Omit<EndByHand, 'paidBy'> & {
    readonly paidBy: TransferIdentity | null;
    readonly txId: string;
    readonly time: number;
  },
): Promise<EndedByHand> {
  if (step.outcome !== 'moved') return step.outcome;
  const { tradeNo, paidBy, by, approvedBy, reason, nowMs, txId, time } = how;
  await writeMoved(tx, payout, step, { ...how, end: { time, txId, by: null, reason: null } });
  await insertEnding(tx, { tradeNo, transfer: paidBy, by, approvedBy, reason, atMs: nowMs });
  return step.outcome;
}
