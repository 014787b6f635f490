// How each business fact is booked: one function, one balanced entry.
import type { Transfer } from '../chain/transfer.ts';
import { negate, share } from '../money/amount.ts';
import { availableOf, custodyOf, feeAccount, unassignedOf } from './account.ts';
import { type Entry, entryOf } from './entry.ts';

/** The fee of a merchant who has no setting of their own: 0.03 % of each credit, in parts per million. */
export const DEFAULT_DEPOSIT_FEE_PPM = 300n;

/** The highest fee, in parts per million: something of a deposit has to be left for its merchant. */
export const MAX_DEPOSIT_FEE_PPM = 999_999n;

/** Identifies a transfer for ever: chain, transaction, position inside it. */
export function transferReference(transfer: Pick<Transfer, 'chain' | 'txId' | 'position'>): string {
  return `${transfer.chain}/${transfer.txId}/${transfer.position}`;
}

// ~ tour 10/12: and how it is booked.
// → packages/gateway/src/roles/notifier/notifier.ts
/** Money for an order became final: the merchant's, less the fee, which is rounded down to the unit (decision H). */
export function bookDeposit(transfer: Transfer, appId: string, feePpm: bigint): Entry {
  const { part: fee, rest: net } = share(transfer.amount, feePpm, 'down');
  return entryOf('deposit', transferReference(transfer), [
    { account: custodyOf(transfer.chain), amount: negate(transfer.amount) },
    { account: availableOf(appId), amount: net },
    { account: feeAccount, amount: fee },
  ]);
}

/** Money that no order can count became final: kept apart for the app until it is assigned, without a fee. */
export function bookUnassignedReceipt(transfer: Transfer, appId: string): Entry {
  return entryOf('unassigned-receipt', transferReference(transfer), [
    { account: custodyOf(transfer.chain), amount: negate(transfer.amount) },
    { account: unassignedOf(appId), amount: transfer.amount },
  ]);
}
