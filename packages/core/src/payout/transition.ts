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
  /** What the recipient got although the payout failed; absent where no person looked. */
  readonly kept?: Amount;
}

/** Why a payout stays as it is. */
export type Unmoved =
  /** It is PAID, FAIL or CANCEL. */
  | { readonly outcome: 'ended' }
  /** It waits for a second person, or the approval has run out. */
  | { readonly outcome: 'not-approved' }
  /** A second person declines it, but an approval of it holds. */
  | { readonly outcome: 'approved' }
  /** A second person declines it, but it needs no approval. */
  | { readonly outcome: 'not-asked' }
  /** No payer has claimed it. */
  | { readonly outcome: 'not-claimed' }
  /** Nothing was signed for it yet. */
  | { readonly outcome: 'not-started' }
  /** A transaction of it is being made or was signed. */
  | { readonly outcome: 'on-its-way' }
  /** The signer is being asked for its transaction. In a moment that transaction is signed, or waits again. */
  | { readonly outcome: 'at-the-signer' }
  /** The transfer is not the one that was promised. */
  | { readonly outcome: 'mismatch' }
  /** One person ends it by a word, but its rules ask for a second person. */
  | { readonly outcome: 'second-person' };

/**
 * Why no transfer of the payout can happen any more. Either its transaction failed in a final block, moved nothing of it and
 * excludes all others; or all its transactions expired without a block, and `txId` is the last of them.
 */
export interface FailureProof {
  readonly txId: string;
  /** Unix seconds of the failed transaction's block, or of the final block that proves the expiry. */
  readonly time: number;
}

/** Whether money may be sent for it at `now` (Unix seconds). */
function isApproved({ needsApproval, approvedUntil }: Payout, now: number): boolean {
  return !needsApproval || (approvedUntil !== null && now < approvedUntil);
}

/** A transaction is about to be made. From then on the payout is cancelled only while that transaction waits. */
export function claimPayout(payout: Payout, now: number): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  if (payout.isClaimed) return { outcome: 'on-its-way' };
  // mark: claimed-only-when-approved
  return isApproved(payout, now) ? moved({ ...payout, isClaimed: true }) : { outcome: 'not-approved' };
}

/**
 * The transaction of the payout is signed: from here on only the chain decides. The payout was approved when it was claimed.
 * An approval that has run out since changes nothing.
 */
export function startPayout(payout: Payout, now: number): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  if (!payout.isClaimed) return { outcome: 'not-claimed' };
  return moved({ ...payout, status: 'CONFIRMING-PROGRESS', startTime: now });
}

/** The fields that are checked of the final transfer that paid. */
export type PayingTransfer = Pick<Transfer, 'chain' | 'txId' | 'to' | 'amount' | 'block'>;

/** A final transfer of ours paid the payout: exactly the promised amount, to exactly its recipient. */
export function completePayout(payout: Payout, transfer: PayingTransfer): Moved | Unmoved {
  if (payout.status === 'PROGRESS') return { outcome: 'not-started' };
  if (payout.status !== 'CONFIRMING-PROGRESS') return standing(payout);
  // mark: paid-exactly-as-promised
  if (!isPromised(payout, transfer)) return { outcome: 'mismatch' };
  const paid: Payout = { ...payout, status: 'PAID' };
  const { txId, block } = transfer;
  return moved(paid, [bookPayout(paid)], [eventOf(paid, 'PAID', txId, block.time)]);
}

/** The transfer that paid the payout, as a person says. It is final, and out of a wallet of ours. */
export interface AdoptedTransfer extends PayingTransfer, Pick<Transfer, 'position'> {
  /**
   * `outgoing`: an outflow, because the books are older than its transaction. `sent`: the payout's own transaction moved it,
   * and something else besides.
   */
  readonly disposition: 'outgoing' | 'sent';
}

/** A person found the transfer that paid the payout. No transaction of the payout may be on its way any more. */
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

/** The payout's own transaction, which is final and, as the books read it, did not move exactly what was promised. */
export interface OddTransaction extends FailureProof {
  /** The wallet that sent the transaction. */
  readonly from: string;
  readonly status: 'succeeded' | 'failed';
  /** The transfers out of that wallet, each with the disposition that it was booked by. */
  readonly left: readonly (Pick<Transfer, 'chain' | 'txId' | 'position' | 'to' | 'amount'> & {
    readonly disposition: AdoptedTransfer['disposition'];
    /** Whether the transfer counts for another payout already, and so not for this one. */
    readonly isTaken: boolean;
  })[];
}

/** What a person says about it, and whether a second one agrees. */
export interface HandWord {
  readonly status: 'PAID' | 'FAIL';
  readonly isSeconded: boolean;
}

/**
 * A person looked at a transaction that the books cannot decide. `PAID` is possible only where the books read no transfer of
 * it: the person saw on the chain that the whole amount arrived. `FAIL`: what the recipient got all the same is not given
 * back to the app.
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
  // A `sent` transfer is the exact amount, so the payout is paid.
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
 * A person cancels the payout before anything of it was signed, also while its transaction waits to be prepared. Its
 * merchant is sent no webhook.
 */
export function cancelPayout(payout: Payout, isWaiting: boolean): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  // mark: cancelled-only-while-it-waits
  if (payout.isClaimed && !isWaiting) return { outcome: 'on-its-way' };
  const cancelled: Payout = { ...payout, status: 'CANCEL' };
  return moved(cancelled, [bookRelease(cancelled)]);
}

/**
 * The second person who is asked declines the payout at `now` (Unix seconds). The payout ends as a cancelled one, unless an
 * approval of it holds.
 */
export function declinePayout(payout: Payout, now: number, isWaiting: boolean): Moved | Unmoved {
  if (payout.status !== 'PROGRESS') return standing(payout);
  if (!payout.needsApproval) return { outcome: 'not-asked' };
  // mark: declined-only-before-an-approval
  if (isApproved(payout, now)) return { outcome: 'approved' };
  return cancelPayout(payout, isWaiting);
}

/**
 * A second person approves the payout until `until` (Unix seconds). A claimed payout can be approved anew while its
 * transaction waits: no block can include any of it then, and the next signature needs an approval that holds.
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
