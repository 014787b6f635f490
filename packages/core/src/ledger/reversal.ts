// A receipt that a fork below the final height took away: what proves it, and how it is booked out of the books and back.
import type { BlockStamp, Transfer } from '../chain/transfer.ts';
import { type Amount, add, compare, negate, subtract } from '../money/amount.ts';
import {
  availableOf,
  custodyAt,
  feeAccount,
  type OwnAddress,
  receivableOf,
  unassignedOf,
} from './account.ts';
import { type Entry, entryOf, type Posting } from './entry.ts';
import { transferReference } from './recipes.ts';

/** What a quorum reports of the branch that the chain is on now. */
export interface GoneProof {
  /** The final block at the height of the receipt. */
  readonly at: BlockStamp;
  /** The lowest and the highest of the final blocks that were searched for the receipt's transaction, which is in none. */
  readonly from: number;
  readonly to: number;
}

/** How far the books of a chain have read it. */
export interface ReadHeights {
  /** The books read every block from here on; null where they read none. */
  readonly startNumber: number | null;
  readonly finalNumber: number | null;
}

/**
 * Whether the receipt is not on the chain: its block is off the chain, and no block that was searched holds its
 * transaction. A transaction may stand in a lower block of the new branch, so the search begins a whole window below.
 */
export function isGone(
  receipt: Pick<Transfer, 'txId' | 'position' | 'block'>,
  { at, from, to }: GoneProof,
  { windowBlocks, ...heights }: ReadHeights & { readonly windowBlocks: number },
): boolean {
  const { block } = receipt;
  // mark: a-reversal-needs-another-block
  if (at.number !== block.number || at.hash === block.hash || !hasTransaction(receipt)) return false;
  const last = lastToSearch(receipt, heights);
  if (last === null) return false;
  // mark: a-reversal-searches-every-skipped-block
  return from <= firstToSearch(block.number, windowBlocks) && to >= last;
}

/** A receipt that only a balance showed has no transaction that a search could find. */
export function hasTransaction({ txId }: Pick<Transfer, 'txId'>): boolean {
  return !txId.startsWith('balance:');
}

/**
 * The highest block in which the transaction of a receipt is searched; null where the books have not skipped its block. The
 * books refuse a later block that repeats a booked receipt. But blocks do not show what moved inside a call, so for such a
 * receipt every final block is searched.
 */
export function lastToSearch(
  { position, block }: Pick<Transfer, 'position' | 'block'>,
  { startNumber, finalNumber }: ReadHeights,
): number | null {
  if (startNumber === null || block.number >= startNumber) return null;
  // mark: an-internal-receipt-is-searched-in-every-block
  return position.startsWith('internal:') ? Math.max(startNumber - 1, finalNumber ?? 0) : startNumber - 1;
}

/** The lowest block in which the transaction of a receipt in block `number` is searched. */
export function firstToSearch(number: number, windowBlocks: number): number {
  return Math.max(0, number - windowBlocks);
}

/** The ending of the position of a counterpart. No chain family writes such a position. */
export const REVERSED = '/reversed';

/** The transfer that takes the receipt out of the books again: the same amount back to its sender, in the block `at`. */
export function counterpartOf(receipt: Transfer, at: BlockStamp): Transfer {
  const { from, to, position } = receipt;
  return { ...receipt, position: `${position}${REVERSED}`, from: to, to: from, block: at };
}

/** What a receipt brought its owner and the gateway. The three together are the amount of the receipt. */
export interface Credited {
  readonly available: Amount;
  readonly unassigned: Amount;
  readonly fee: Amount;
}

/**
 * Takes back what the receipt brought. The app gives what it has, `has` of its available balance, and owes the rest.
 * Example: 100 were credited, 30 are left. 30 leave `available`, and `receivable` shows 70.
 */
export function bookReversal(
  counterpart: Transfer,
  by: OwnAddress,
  { available, unassigned, fee }: Credited,
  has: Amount,
): Entry {
  const taken = compare(has, available) < 0 ? has : available;
  return entryOf('reversal', transferReference(counterpart), [
    { account: custodyAt(counterpart.chain, by), amount: counterpart.amount },
    { account: unassignedOf(by.appId), amount: negate(unassigned) },
    { account: feeAccount, amount: negate(fee) },
    ...(by.appId === null ? [] : takenFrom(by.appId, available, taken)),
  ]);
}

function takenFrom(appId: string, credited: Amount, taken: Amount): readonly Posting[] {
  return [
    { account: availableOf(appId), amount: negate(taken) },
    { account: receivableOf(appId), amount: subtract(taken, credited) },
  ];
}

/** The receipt is on the chain again: all that its reversal moved goes back. What the app still owes is paid first. */
export function bookReinstatement(
  counterpart: Pick<Transfer, 'chain' | 'txId' | 'position'>,
  reversal: readonly Posting[],
  owed: Amount,
): Entry {
  const postings = reversal.flatMap(({ account, amount }): readonly Posting[] => {
    if (account.kind !== 'receivable') return [{ account, amount: negate(amount) }];
    const back = negate(amount);
    const repaid = compare(owed, back) < 0 ? owed : back;
    return [
      { account, amount: repaid },
      { account: availableOf(account.owner), amount: subtract(back, repaid) },
    ];
  });
  return entryOf('reinstatement', transferReference(counterpart), merged(postings));
}

/** One posting for each account, because the app's balance may stand twice. */
function merged(postings: readonly Posting[]): readonly Posting[] {
  const byAccount = new Map<string, Posting>();
  for (const { account, amount } of postings) {
    const key = `${account.kind} ${account.owner} ${amount.currencyId}`;
    const known = byAccount.get(key);
    byAccount.set(key, { account, amount: known === undefined ? amount : add(known.amount, amount) });
  }
  return [...byAccount.values()];
}

/** An app pays what it owes. `reference` names the decision, once. */
export function bookRepayment(reference: string, appId: string, amount: Amount): Entry {
  return entryOf('repayment', reference, [
    { account: availableOf(appId), amount: negate(amount) },
    { account: receivableOf(appId), amount },
  ]);
}
