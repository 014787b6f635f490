// An event of a payout as the outbox keeps it, its body fixed.
import type { EncodeTransferEvent, TransferEvent } from '@ducat/core/webhook/event';
import type { LockedPayout } from '../payouts/payouts.ts';
import type { NewEvent } from './outbox.ts';

export interface PayoutEventWriting {
  readonly encodeTransfer: EncodeTransferEvent;
  readonly newEventId: () => string;
  readonly nowMs: number;
}

/** The outbox row for an event of this payout; without an address to call it is kept but never sent. */
export function payoutEventRow(
  event: TransferEvent,
  { appId, chain, currencyId, amount, deliverTo }: LockedPayout,
  { encodeTransfer, newEventId, nowMs }: PayoutEventWriting,
): NewEvent {
  return {
    eventId: newEventId(),
    appId,
    type: event.type,
    tradeNo: event.tradeNo,
    status: event.status,
    final: true,
    body: encodeTransfer(event, { appId, chain, currencyId, amount }),
    url: deliverTo,
    createdAtMs: nowMs,
  };
}
