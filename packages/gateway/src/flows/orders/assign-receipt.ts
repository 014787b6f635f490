// A person assigns an unassigned receipt to an order of the same app and currency (decision B12).
import { type Currency, creditBound } from '@ducat/core/chain/currency';
import { bookAssignment } from '@ducat/core/ledger/recipes';
import { compare } from '@ducat/core/money/amount';
import { type Assignment, assignReceipt as decide } from '@ducat/core/order/assign-receipt';
import type { Order } from '@ducat/core/order/order';
import type { Tx } from '../../db/postgres/tx.ts';
import { eventRow, type EventWriting } from '../../db/tables/deliveries/event-row.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { lockOrders, updateOrders } from '../../db/tables/orders/orders.ts';
import { readSentBack } from '../../db/tables/payouts/order-refunds.ts';
import { hasRefund } from '../../db/tables/payouts/receipt-refunds.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';
import {
  insertAssignment,
  lockReceipt,
  readPaidInTime,
  type TransferIdentity,
} from '../../db/tables/transfers/receipts.ts';

export interface AssignReceipt extends EventWriting {
  readonly receipt: TransferIdentity;
  readonly tradeNo: string;
  /** The app whose receipt it must be; absent for the operator. */
  readonly appId?: string;
  /** Who assigns the receipt, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
  /** The currencies of the receipt's chain. */
  readonly currencies: readonly Currency[];
}

export type AssignedReceipt =
  | {
      readonly outcome: 'assigned';
      readonly order: Order;
      readonly disposition: 'payment' | 'late' | 'extra';
      /** Events that go to the merchant, one at the most. */
      readonly events: number;
    }
  | Exclude<Assignment, { readonly outcome: 'assigned' }>
  /** There is no such receipt, or it is another app's. For anybody but the operator also: the receipt is at a wallet. */
  | { readonly outcome: 'unknown-receipt' }
  /** The receipt counts for an order already. */
  | { readonly outcome: 'not-unassigned' }
  /** The receipt is being refunded or was refunded. */
  | { readonly outcome: 'refunded' }
  /** The receipt is more than its currency is believed to move, so it must not be credited. */
  | { readonly outcome: 'absurd' }
  | { readonly outcome: 'unknown-order' };

/** A receipt is assigned once. Undoing an assignment would need an entry of its own, which does not exist yet. */
export async function assignReceipt(tx: Tx, input: AssignReceipt): Promise<AssignedReceipt> {
  const { tradeNo, by, reason, nowMs } = input;
  const receipt = await lockReceipt(tx, input.receipt);
  if (receipt === null) return { outcome: 'unknown-receipt' };
  if (input.appId !== undefined && (receipt.appId !== input.appId || receipt.isAtWallet)) {
    return { outcome: 'unknown-receipt' };
  }
  // mark: assigned-once
  if (receipt.disposition !== 'unassigned') return { outcome: 'not-unassigned' };
  if (await hasRefund(tx, input.receipt)) return { outcome: 'refunded' };
  const { transfer, feePpm } = receipt;
  const currency = input.currencies.find(({ currencyId }) => currencyId === transfer.amount.currencyId);
  if (currency === undefined || compare(transfer.amount, creditBound(currency)) === 1)
    return { outcome: 'absurd' };
  const order = (await lockOrders(tx, [tradeNo])).get(tradeNo);
  if (order === undefined) return { outcome: 'unknown-order' };
  const { currencyId } = order;
  const assignment = decide(receipt, order, {
    paidInTime: await readPaidInTime(tx, tradeNo, currencyId),
    sentBack: await readSentBack(tx, tradeNo, currencyId),
  });
  if (assignment.outcome !== 'assigned') return assignment;

  const { disposition, events } = assignment;
  await insertEntries(tx, [bookAssignment(transfer, order.appId, feePpm)], nowMs);
  await insertAssignment(tx, { receipt: transfer, tradeNo, disposition, by, reason, atMs: nowMs });
  await updateOrders(tx, [assignment.order]);
  await insertEvents(
    tx,
    events.map((event) => eventRow(event, order, input)),
  );
  return { outcome: 'assigned', order: assignment.order, disposition, events: events.length };
}
