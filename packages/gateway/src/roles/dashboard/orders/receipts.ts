// Unassigned receipts of a merchant, and a person's decision about one; and a late order that is accepted.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import {
  listReceipts,
  type ReceiptCursor,
  type ReceiptListRow,
} from '../../../db/reports/dashboard/orders/receipt-list.ts';
import { acceptLate } from '../../../flows/orders/accept-late.ts';
import { assignReceipt } from '../../../flows/orders/assign-receipt.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { appsOf, DEFAULT_ROWS, nextOf } from '../merchant-scope.ts';
import { chainNamed, readTexts, type Texts } from '../texts.ts';
import { findOwnOrder } from './read-order.ts';

export const handleReceiptList: Handler<'receipts.list'> = async (call, request) => {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return unknown('app');
  const limit = request.limit ?? DEFAULT_ROWS;
  const behind = receiptCursor(request.cursor);
  const appIds = apps.map(({ appId }) => appId);
  const receipts = await listReceipts(call.reader, { appIds, behind, limit });
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    receipts: receipts.map((receipt) => presentReceipt(receipt, texts)),
    next_cursor: nextOf(receipts, limit, cursorText),
  });
};

export function cursorText({ block, chain, txId, position }: ReceiptListRow): string {
  return [block.time, chain, txId, position].join(' ').replaceAll(' ', '|');
}

/** Null, for the newest receipts, where the text has another form. */
export function receiptCursor(text: string | undefined): ReceiptCursor | null {
  const [time, chain, txId, ...rest] = (text ?? '').split('|');
  const position = rest.join('|');
  if (chain === undefined || txId === undefined || !/^[0-9]{1,12}$/.test(time ?? '')) return null;
  return { time: Number(time), chain, txId, position };
}

export function presentReceipt(
  receipt: ReceiptListRow,
  texts: Texts,
): ResponseOf<'receipts.list'>['receipts'][number] {
  const { chain, txId, position, block, from, to } = receipt;
  return {
    chain,
    tx_id: txId,
    position,
    app_id: receipt.appId,
    ...texts.money(receipt.amount),
    from: from === '' ? '' : texts.address(chain, from),
    to: texts.address(chain, to),
    block_number: block.number,
    at: block.time,
    trade_no: receipt.tradeNo,
  };
}

export const handleAssign: Handler<'receipts.assign'> = async (call, request) => {
  const { deps, nowMs, session } = call;
  const { chain, tx_id: txId, position, trade_no: tradeNo, reason } = request;
  const order = await findOwnOrder(call, tradeNo);
  if (order === null) return unknown('order');
  const { appId } = order;
  const currencies = chainNamed(deps, chain)?.currencies ?? [];
  const by = session.person.email;
  const receipt = { chain, txId, position };
  const assigned = await deps.transact(async (tx) => {
    const assigning = { receipt, tradeNo, appId, by, reason, currencies };
    const made = await assignReceipt(tx, { ...deps.events, nowMs, ...assigning });
    if (made.outcome === 'assigned')
      await call.record(tx, { subject: tradeNo, detail: `${chain} ${txId} ${position}: ${reason}` });
    return made;
  });
  if (assigned.outcome === 'assigned')
    return answer({ disposition: assigned.disposition, order_status: assigned.order.status });
  // The order is the merchant's, and the flow compares the app of the receipt with the order's. So a receipt of another app
  // is answered like an unknown one.
  if (assigned.outcome === 'unknown-receipt' || assigned.outcome === 'other-app') return unknown('receipt');
  return refusal(
    ['not-unassigned', 'refunded'].includes(assigned.outcome) ? 'changed' : 'conflict',
    WHY_NOT[assigned.outcome],
  );
};

const WHY_NOT = {
  'still-open': 'the receipt came after the expiry of an order that is still open: it times out first',
  refunded: 'it was sent back already',
  'not-unassigned': 'it counts for an order already',
  absurd: 'it is more than its currency is believed to move: ask the operator',
  'unknown-order': 'there is no such order',
  'other-currency': 'the order is in another currency',
} as const;

export const handleAcceptLate: Handler<'orders.accept-late'> = async (call, request) => {
  const { deps, nowMs, session } = call;
  const { trade_no: tradeNo, reason } = request;
  const order = await findOwnOrder(call, tradeNo);
  if (order === null) return unknown('order');
  const by = session.person.email;
  const accepted = await deps.transact(async (tx) => {
    const made = await acceptLate(tx, { ...deps.events, nowMs, tradeNo, appId: order.appId, by, reason });
    if (made.outcome === 'accepted') await call.record(tx, { subject: tradeNo, detail: reason });
    return made;
  });
  if (accepted.outcome === 'accepted') return answer({ order_status: accepted.order.status });
  if (accepted.outcome === 'unknown-order') return unknown('order');
  return refusal(
    accepted.outcome === 'already-paid' ? 'changed' : 'conflict',
    NOT_ACCEPTED[accepted.outcome],
  );
};

const NOT_ACCEPTED = {
  'still-open': 'the order is still open: it can be paid, or times out first',
  'already-paid': 'the order is paid already',
  short: 'what came is less than what is due: only the time can be forgiven',
} as const;
