// How a payout is booked: bound when it is made, and later either paid out or released.
import type { Transfer } from '../chain/transfer.ts';
import { type Amount, negate, subtract, zero } from '../money/amount.ts';
import type { Payout } from '../payout/payout.ts';
import {
  type Account,
  availableOf,
  custodyOf,
  feeAccount,
  frozenOf,
  networkChargeAccount,
  sentOf,
  suspenseOf,
  unassignedOf,
} from './account.ts';
import { type Entry, entryOf } from './entry.ts';
import { transferReference } from './recipes.ts';

/** A payout was made: all that it takes is bound until it ends. */
export function bookReservation(payout: Payout): Entry {
  const { tradeNo, appId, reserved } = payout;
  return entryOf('reservation', tradeNo, [
    { account: sourceOf(payout), amount: negate(reserved) },
    { account: frozenOf(appId), amount: reserved },
  ]);
}

/** The payout reached its recipient: the app pays what was sent and the fees, and the fees are the gateway's. */
export function bookPayout(payout: Payout): Entry {
  const { tradeNo, appId, chain, reserved, receipt, serviceCharge, gas } = payout;
  return entryOf('payout', tradeNo, [
    { account: frozenOf(appId), amount: negate(reserved) },
    { account: sentOf(chain), amount: receipt },
    { account: feeAccount, amount: serviceCharge },
    { account: networkChargeAccount, amount: gas },
  ]);
}

/** The payout was cancelled or failed: all that it bound goes back, except `kept`, which its recipient got all the same. */
export function bookRelease(payout: Payout, kept: Amount = zero(payout.currencyId)): Entry {
  const { tradeNo, appId, chain, reserved } = payout;
  return entryOf('release', tradeNo, [
    { account: frozenOf(appId), amount: negate(reserved) },
    { account: sourceOf(payout), amount: subtract(reserved, kept) },
    { account: sentOf(chain), amount: kept },
  ]);
}

/** The position of a transfer that a person saw on the chain and that no block of the books shows. */
export const UNREAD_POSITION = 'unread';

/** The payout was paid in a currency that its block was not read for: what left the wallet is booked to `sent`. */
export function bookUnread(payout: Payout, txId: string, wallet: string): Entry {
  const { chain, receipt } = payout;
  return entryOf('sent-unread', transferReference({ chain, txId, position: UNREAD_POSITION }), [
    { account: custodyOf(chain, wallet), amount: receipt },
    { account: sentOf(chain), amount: negate(receipt) },
  ]);
}

/** An outflow, or a part of it, was the transfer of a payout or to cold storage: it goes from `suspense` to `sent`. */
export function bookAdoption(
  transfer: Pick<Transfer, 'chain' | 'txId' | 'position' | 'amount'>,
  amount: Amount = transfer.amount,
): Entry {
  return entryOf('adoption', transferReference(transfer), [
    { account: suspenseOf(transfer.chain), amount },
    { account: sentOf(transfer.chain), amount: negate(amount) },
  ]);
}

function sourceOf({ appId, source }: Payout): Account {
  return source === 'unassigned' ? unassignedOf(appId) : availableOf(appId);
}
