// How each business fact is booked: one function, one balanced entry.
import type { Inclusion } from '../chain/inclusion.ts';
import type { Transfer } from '../chain/transfer.ts';
import { negate, share } from '../money/amount.ts';
import {
  availableOf,
  custodyAt,
  custodyOf,
  feeAccount,
  networkFeeAccount,
  type OwnAddress,
  sentOf,
  suspenseOf,
  unassignedOf,
} from './account.ts';
import { type Entry, entryOf } from './entry.ts';

/** The fee of a merchant who has no setting of their own: 0.03 % of each credit, in parts per million. */
export const DEFAULT_DEPOSIT_FEE_PPM = 300n;

/** The highest fee, in parts per million: something of a deposit has to be left for its merchant. */
export const MAX_DEPOSIT_FEE_PPM = 999_999n;

/** Identifies a transfer for ever: chain, transaction, position inside it. */
export function transferReference(transfer: Pick<Transfer, 'chain' | 'txId' | 'position'>): string {
  return `${transfer.chain}/${transfer.txId}/${transfer.position}`;
}

// ~ tour 13/15: and how it is booked.
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

/** Money that no order can count became final: kept apart for the owner until it is assigned, without a fee. */
export function bookUnassignedReceipt(transfer: Transfer, to: OwnAddress): Entry {
  return entryOf('unassigned-receipt', transferReference(transfer), [
    { account: custodyAt(transfer.chain, to), amount: negate(transfer.amount) },
    { account: unassignedOf(to.appId), amount: transfer.amount },
  ]);
}

/** A person assigned an unassigned receipt to an order: the merchant's now, less the fee that falls due with it. */
export function bookAssignment(transfer: Transfer, appId: string, feePpm: bigint): Entry {
  const { part: fee, rest: net } = share(transfer.amount, feePpm, 'down');
  return entryOf('assignment', transferReference(transfer), [
    { account: unassignedOf(appId), amount: negate(transfer.amount) },
    { account: availableOf(appId), amount: net },
    { account: feeAccount, amount: fee },
  ]);
}

/** Money left our addresses by no transaction of ours: no longer held, and no owner's loss until it is explained. */
export function bookOutflow(transfer: Transfer, from: OwnAddress): Entry {
  return entryOf('outflow', transferReference(transfer), [
    { account: custodyAt(transfer.chain, from), amount: transfer.amount },
    { account: suspenseOf(transfer.chain), amount: negate(transfer.amount) },
  ]);
}

/** Money left for a stranger, exactly as an outgoing transaction promised: its subject books the rest. */
export function bookSent(transfer: Transfer, from: OwnAddress): Entry {
  return entryOf('sent', transferReference(transfer), [
    { account: custodyAt(transfer.chain, from), amount: transfer.amount },
    { account: sentOf(transfer.chain), amount: negate(transfer.amount) },
  ]);
}

/** What a final transaction of ours cost, by its inclusion. */
export function bookNetworkFee({ chain, txId, fee }: Inclusion, payer: OwnAddress): Entry {
  return entryOf('network-fee', `${chain}/${txId}/fee`, [
    { account: custodyAt(chain, payer), amount: fee },
    { account: networkFeeAccount, amount: negate(fee) },
  ]);
}

/** Money went from one of our addresses to another; null where the ledger keeps both in one account. */
export function bookMove(transfer: Transfer, from: OwnAddress, to: OwnAddress): Entry | null {
  const [source, target] = [custodyAt(transfer.chain, from), custodyAt(transfer.chain, to)];
  if (source.owner === target.owner) return null;
  return entryOf('move', transferReference(transfer), [
    { account: source, amount: transfer.amount },
    { account: target, amount: negate(transfer.amount) },
  ]);
}
