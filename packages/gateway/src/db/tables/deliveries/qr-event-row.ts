// An event of a payment to a QR code as the outbox keeps it, its body fixed.
import type { EncodeQrPaymentEvent, QrPaymentEvent } from '@ducat/core/webhook/qr-payment-event';
import type { NumberedQrPayment } from '../qr/qr-payments.ts';
import type { NewEvent } from './outbox.ts';

export interface QrEventWriting {
  readonly encodeQrPayment: EncodeQrPaymentEvent;
  readonly newEventId: () => string;
  readonly nowMs: number;
}

/**
 * The outbox row for a payment. Without an address to call it is kept and never sent. The same holds for a payment to a
 * disabled code.
 */
export function qrEventRow(
  { tradeNo, qrCode, transfer, disposition }: NumberedQrPayment,
  callbackUrl: string | null,
  { encodeQrPayment, newEventId, nowMs }: QrEventWriting,
): NewEvent {
  const { appId } = qrCode;
  const event: QrPaymentEvent = { type: 'QR_PAYMENT', tradeNo, appId, status: 'PAID', transfer };
  return {
    eventId: newEventId(),
    appId,
    type: event.type,
    tradeNo,
    status: event.status,
    final: true,
    body: encodeQrPayment(event),
    // mark: disabled-code-sends-no-webhook
    url: disposition === 'late' ? null : callbackUrl,
    createdAtMs: nowMs,
  };
}
