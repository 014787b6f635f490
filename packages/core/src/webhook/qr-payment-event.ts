// What a merchant is sent about a payment to a QR code.
import type { Transfer } from '../chain/transfer.ts';

/** A payment to a QR code became final. Always PAID, one of each payment. */
export interface QrPaymentEvent {
  readonly type: 'QR_PAYMENT';
  readonly tradeNo: string;
  readonly appId: string;
  readonly status: 'PAID';
  readonly transfer: Transfer;
}

/** As `EncodePaymentEvent`, for payments to QR codes. */
export type EncodeQrPaymentEvent = (event: QrPaymentEvent) => string;
