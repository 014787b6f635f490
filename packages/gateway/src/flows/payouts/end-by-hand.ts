// A person ends a payout that the gateway cannot end by itself, with a proof that stands in the books.
import { adoptPayment, failPayout, type Moved, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { cancelWaiting } from '../../db/tables/outgoing/requests.ts';
import {
  insertEnding,
  lockOutflow,
  lockTransaction,
  type PayoutTransaction,
} from '../../db/tables/payouts/payout-endings.ts';
import { type LockedPayout, lockPayout } from '../../db/tables/payouts/payouts.ts';
import type { TransferIdentity } from '../../db/tables/transfers/receipts.ts';
import { writeMoved } from './write-moved.ts';

export interface EndByHand extends PayoutEventWriting {
  readonly tradeNo: string;
  /** The transfer that paid it, which the books took for an outflow; null to say that nothing can happen any more. */
  readonly paidBy: TransferIdentity | null;
  /** Who ends it, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
}

export type EndedByHand =
  | Moved['outcome']
  | Unmoved['outcome']
  | 'unknown'
  /** There is no such outflow out of a wallet, or it paid another payout. */
  | 'no-such-outflow'
  /** Its transaction has not failed for good. */
  | 'not-failed';

/** `failed` and `mismatched` are final; before that another transaction of it may still be included. */
const overStates: ReadonlySet<PayoutTransaction['state']> = new Set(['failed', 'mismatched', 'cancelled']);

export async function endByHand(tx: Tx, input: EndByHand): Promise<EndedByHand> {
  const { tradeNo, paidBy } = input;
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  return paidBy === null ? endFailed(tx, payout, input) : endPaid(tx, payout, paidBy, input);
}

async function endPaid(
  tx: Tx,
  payout: LockedPayout,
  paidBy: TransferIdentity,
  input: EndByHand,
): Promise<EndedByHand> {
  const { tradeNo, nowMs } = input;
  const transfer = await lockOutflow(tx, paidBy);
  if (transfer === null) return 'no-such-outflow';
  const step = adoptPayment(payout, transfer);
  // Decided before anything is written: a refusal must leave its transaction as it was.
  if (step.outcome !== 'moved') return step.outcome;
  const transaction = await lockTransaction(tx, tradeNo);
  // What waits to be prepared is taken back: nothing will be signed for it.
  const isTakenBack = transaction?.state === 'waiting' && (await cancelWaiting(tx, 'payout', tradeNo, nowMs));
  // mark: adopted-when-nothing-is-on-its-way
  if (transaction !== null && !isTakenBack && !overStates.has(transaction.state)) return 'on-its-way';
  return write(tx, payout, step, {
    ...input,
    txId: transfer.txId,
    time: transfer.block.time,
  });
}

async function endFailed(tx: Tx, payout: LockedPayout, input: EndByHand): Promise<EndedByHand> {
  const transaction = await lockTransaction(tx, input.tradeNo);
  // mark: failed-by-proof-alone
  if (transaction?.state !== 'failed' || transaction.txId === null) return 'not-failed';
  const { txId } = transaction;
  const time = Math.floor((transaction.endedAtMs ?? input.nowMs) / 1000);
  return write(tx, payout, failPayout(payout, { txId, time }), { ...input, txId, time });
}

async function write(
  tx: Tx,
  payout: LockedPayout,
  step: Moved | Unmoved,
  how: EndByHand & { readonly txId: string; readonly time: number },
): Promise<EndedByHand> {
  if (step.outcome !== 'moved') return step.outcome;
  const { tradeNo, paidBy, by, reason, nowMs, txId, time } = how;
  await writeMoved(tx, payout, step, { ...how, end: { time, txId, by: null, reason: null } });
  await insertEnding(tx, { tradeNo, transfer: paidBy, by, reason, atMs: nowMs });
  return step.outcome;
}
