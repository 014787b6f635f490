// What happens to a payout after it was made: claimed, started, paid, failed or cancelled, each at most once.
import type { Transfer } from '../chain/transfer.ts';
import type { Entry } from '../ledger/entry.ts';
import { bookAdoption, bookPayout, bookRelease, bookUnread } from '../ledger/payout-recipes.ts';
import { type Amount, add, compare, isPositive, subtract, zero } from '../money/amount.ts';
import type { TransferEvent } from '../webhook/event.ts';
import type { Payout } from './payout.ts';

/** The payout as it is afterwards, what is booked, and what its merchant is sent. */
export interface Moved {
  readonly outcome: 'moved';
  readonly payout: Payout;
  readonly entries: readonly Entry[];
  readonly events: readonly TransferEvent[];
  /** What its recipient got of one that failed; absent where nobody looked. */
  readonly kept?: Amount;
}

/** Why a payout stays as it is. */
export type Unmoved =
  /** It is PAID, FAIL or CANCEL. */
  | { readonly outcome: 'ended' }
  /** It waits for a second person, or the approval has run out. */
  | { readonly outcome: 'not-approved' }
  /** A second person declines it, and an approval holds. */
  | { readonly outcome: 'approved' }
  /** A second person declines it, and none is asked for. */
  | { readonly outcome: 'not-asked' }
  /** No payer has claimed it. */
  | { readonly outcome: 'not-claimed' }
  /** Nothing was signed for it yet. */
  | { readonly outcome: 'not-started' }
  /** A transaction of it is being made or was signed. */
  | { readonly outcome: 'on-its-way' }
  /** The signer is asked for its transaction just now: in a moment that is signed, or waits again. */
  | { readonly outcome: 'at-the-signer' }
  /** The transfer is not the one that was promised. */
  | { readonly outcome: 'mismatch' }
  /** A person ends it by their word, and its rules ask for a second one. */
  | { readonly outcome: 'second-person' };

/** Why no transfer can happen any more: a transaction in a final block, which moved nothing of it and excludes all others. */
export interface FailureProof {
  readonly txId: string;
  /** Unix seconds of that block. */
  readonly time: number;
}

/** Whether money may be sent for it at `now` (Unix seconds). */
function isApproved({ needsApproval, approvedUntil }: Payout, now: number): boolean {
  return !needsApproval || (approvedUntil !== null && now < approvedUntil);
}

/** A transaction of it is about to be made, so that it is not cancelled any more. */
export function claimPayout(payout: Payout, now: number): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  if (payout.isClaimed) return { outcome: 'on-its-way' };
  // mark: claimed-only-when-approved
  return isApproved(payout, now) ? moved({ ...payout, isClaimed: true }) : { outcome: 'not-approved' };
}

/**
 * Its transaction is signed: from here on only the chain decides. It was claimed while it was approved; an approval that
 * has run out since unsigns nothing.
 */
export function startPayout(payout: Payout, now: number): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  if (!payout.isClaimed) return { outcome: 'not-claimed' };
  return moved({ ...payout, status: 'CONFIRMING-PROGRESS', startTime: now });
}

/** What is looked at of the final transfer that paid. */
export type PayingTransfer = Pick<Transfer, 'chain' | 'txId' | 'to' | 'amount' | 'block'>;

/** A final transfer of ours paid it: exactly what was promised, to exactly whom. */
export function completePayout(payout: Payout, transfer: PayingTransfer): Moved | Unmoved {
  if (payout.status === 'PROGRESS') return { outcome: 'not-started' };
  if (payout.status !== 'CONFIRMING-PROGRESS') return standing(payout);
  // mark: paid-exactly-as-promised
  if (!isPromised(payout, transfer)) return { outcome: 'mismatch' };
  const paid: Payout = { ...payout, status: 'PAID' };
  const { txId, block } = transfer;
  return moved(paid, [bookPayout(paid)], [eventOf(paid, 'PAID', txId, block.time)]);
}

/** The transfer that a person says paid it: final, and out of a wallet of ours. */
export interface AdoptedTransfer extends PayingTransfer, Pick<Transfer, 'position'> {
  /**
   * `outgoing`: an outflow, since the books are older than it. `sent`: its own transaction moved it, and something besides.
   */
  readonly disposition: 'outgoing' | 'sent';
}

/** A person found the transfer that paid it. Nothing of it may be on its way any more. */
export function adoptPayment(payout: Payout, transfer: AdoptedTransfer): Moved | Unmoved {
  if (hasEnded(payout)) return { outcome: 'ended' };
  // mark: adopted-exactly-as-promised
  if (!isPromised(payout, transfer)) return { outcome: 'mismatch' };
  const { txId, block, disposition } = transfer;
  const adopted = disposition === 'outgoing' ? [bookAdoption(transfer)] : [];
  const paid: Payout = {
    ...payout,
    status: 'PAID',
    isClaimed: true,
    startTime: payout.startTime ?? block.time,
  };
  return moved(paid, [...adopted, bookPayout(paid)], [eventOf(paid, 'PAID', txId, block.time)]);
}

/** Its own transaction, which is final and was not what was promised as the books read it. */
export interface OddTransaction extends FailureProof {
  /** The wallet that it went out of. */
  readonly from: string;
  readonly status: 'succeeded' | 'failed';
  /** What it moved out of that wallet, with what it was booked as. */
  readonly left: readonly (Pick<Transfer, 'chain' | 'txId' | 'position' | 'to' | 'amount'> & {
    readonly disposition: AdoptedTransfer['disposition'];
    /** Whether it paid another payout, and counts for this one no more. */
    readonly isTaken: boolean;
  })[];
}

/** What a person says about it, and whether a second one agrees. */
export interface HandWord {
  readonly status: 'PAID' | 'FAIL';
  readonly isSeconded: boolean;
}

/**
 * A person looked at a transaction that the books cannot decide about. `PAID` where nothing of it was read: the person saw on the
 * chain that all of it arrived. `FAIL`: what its recipient got all the same is not given back to the app.
 */
export function endMismatched(payout: Payout, odd: OddTransaction, word: HandWord): Moved | Unmoved {
  if (payout.status !== 'CONFIRMING-PROGRESS') return standing(payout);
  // mark: a-word-needs-a-second-person
  if (payout.needsApproval && !word.isSeconded) return { outcome: 'second-person' };
  const { txId, time, from, left } = odd;
  if (word.status === 'PAID') {
    if (left.length > 0 || odd.status === 'failed') return { outcome: 'mismatch' };
    const paid: Payout = { ...payout, status: 'PAID' };
    const entries = [bookUnread(paid, txId, from), bookPayout(paid)];
    return moved(paid, entries, [eventOf(paid, 'PAID', txId, time)]);
  }
  // The exact amount arrived: that is a payment.
  if (left.some(({ disposition }) => disposition === 'sent')) return { outcome: 'mismatch' };
  const failed: Payout = { ...payout, status: 'FAIL' };
  let kept = zero(payout.currencyId);
  const adoptions: Entry[] = [];
  // mark: one-part-pays-one-payout
  for (const part of left.filter((one) => !one.isTaken && isForRecipient(payout, one))) {
    const rest = subtract(payout.receipt, kept);
    const share = compare(part.amount, rest) > 0 ? rest : part.amount;
    if (isPositive(share)) adoptions.push(bookAdoption(part, share));
    kept = add(kept, share);
  }
  const entries = [...adoptions, bookRelease(failed, kept)];
  return { ...moved(failed, entries, [eventOf(failed, 'FAIL', txId, time)]), kept };
}

/** It is proven that no transfer can happen any more: what was bound is released, once (decision C7). */
export function failPayout(payout: Payout, { txId, time }: FailureProof): Moved | Unmoved {
  if (payout.status === 'PROGRESS') return { outcome: 'not-started' };
  if (payout.status !== 'CONFIRMING-PROGRESS') return standing(payout);
  const failed: Payout = { ...payout, status: 'FAIL' };
  return moved(failed, [bookRelease(failed)], [eventOf(failed, 'FAIL', txId, time)]);
}

/**
 * A person cancels it before anything of it was signed, also while its transaction waits to be prepared; its merchant is sent
 * nothing.
 */
export function cancelPayout(payout: Payout, isWaiting: boolean): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  // mark: cancelled-only-while-it-waits
  if (payout.isClaimed && !isWaiting) return { outcome: 'on-its-way' };
  const cancelled: Payout = { ...payout, status: 'CANCEL' };
  return moved(cancelled, [bookRelease(cancelled)]);
}

/**
 * The second person who is asked declines it at `now` (Unix seconds): it ends as a cancelled one. Where another one's approval
 * holds, it is decided.
 */
export function declinePayout(payout: Payout, now: number, isWaiting: boolean): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  if (!payout.needsApproval) return { outcome: 'not-asked' };
  // mark: declined-only-before-an-approval
  if (isApproved(payout, now)) return { outcome: 'approved' };
  return cancelPayout(payout, isWaiting);
}

/**
 * A second person approves it until `until` (Unix seconds), also anew while its transaction waits: then nothing of it can be
 * mined, and what is signed next needs an approval that holds.
 */
export function approvePayout(payout: Payout, until: number, isWaiting: boolean): Moved | Unmoved {
  if (hasEnded(payout)) return { outcome: 'ended' };
  // mark: approved-anew-only-while-it-waits
  if (payout.isClaimed && !isWaiting)
    return { outcome: payout.status === 'PROGRESS' ? 'at-the-signer' : 'on-its-way' };
  const approvedUntil = Math.max(until, payout.approvedUntil ?? 0);
  return moved({ ...payout, approvedUntil });
}

function isPromised(payout: Payout, transfer: PayingTransfer): boolean {
  return isForRecipient(payout, transfer) && compare(transfer.amount, payout.receipt) === 0;
}

function isForRecipient(
  payout: Payout,
  { chain, to, amount }: Pick<Transfer, 'chain' | 'to' | 'amount'>,
): boolean {
  return chain === payout.chain && to === payout.toAddress && amount.currencyId === payout.currencyId;
}

function hasEnded({ status }: Payout): boolean {
  return status !== 'PROGRESS' && status !== 'CONFIRMING-PROGRESS';
}

function standing({ status }: Payout): Unmoved {
  return { outcome: status === 'CONFIRMING-PROGRESS' ? 'on-its-way' : 'ended' };
}

function moved(payout: Payout, entries: readonly Entry[] = [], events: readonly TransferEvent[] = []): Moved {
  return { outcome: 'moved', payout, entries, events };
}

function eventOf(
  { tradeNo }: Payout,
  status: TransferEvent['status'],
  txId: string,
  time: number,
): TransferEvent {
  return { type: 'TRANSFER', tradeNo, status, txId, time };
}
