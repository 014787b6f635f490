// Settles everything a final height covers, one transfer after the other, and gathers what has to be written.
import { assert } from '../assert.ts';
import type { Transfer } from '../chain/transfer.ts';
import type { Entry } from '../ledger/entry.ts';
import type { PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';
import { type Disposition, settleTransfer } from './transition.ts';

/** A transfer that has become final, and whose address it went to. */
export interface DueTransfer {
  readonly transfer: Transfer;
  readonly appId: string;
  /** The merchant's fee on deposits, in parts per million. */
  readonly feePpm: bigint;
  /** The order the address was handed out for, null where it was not. */
  readonly tradeNo: string | null;
}

export interface SettledTransfers {
  readonly dispositions: readonly { readonly transfer: Transfer; readonly disposition: Disposition }[];
  readonly entries: readonly Entry[];
  /** Each order that changed, as it stands after all of them. */
  readonly orders: readonly Order[];
  readonly events: readonly PaymentEvent[];
}

/** `due` in the order of the chain; `orders` holds every order that `due` names. */
export function settleAll(due: readonly DueTransfer[], orders: ReadonlyMap<string, Order>): SettledTransfers {
  const changed = new Map<string, Order>();
  const dispositions: { transfer: Transfer; disposition: Disposition }[] = [];
  const entries: Entry[] = [];
  const events: PaymentEvent[] = [];
  for (const { transfer, appId, feePpm, tradeNo } of due) {
    const order = tradeNo === null ? null : (changed.get(tradeNo) ?? orders.get(tradeNo));
    assert(order !== undefined, `order ${tradeNo} of a transfer is there`);
    const settlement = settleTransfer(transfer, { appId, feePpm, order });
    dispositions.push({ transfer, disposition: settlement.disposition });
    entries.push(settlement.entry);
    events.push(...settlement.events);
    if (settlement.order !== null) changed.set(settlement.order.tradeNo, settlement.order);
  }
  return { dispositions, entries, orders: [...changed.values()], events };
}
