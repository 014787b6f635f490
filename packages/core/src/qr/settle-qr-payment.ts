// What a final transfer to the address of a QR code is: a payment of its own, or nothing that the code can count.
import type { Transfer } from '../chain/transfer.ts';
import { countsFor, isLate } from '../order/transition.ts';
import type { QrCode } from './qr-code.ts';

/** A final transfer that counts for a code. */
export interface QrPayment {
  readonly transfer: Transfer;
  readonly qrCode: QrCode;
  /** `late` where it came to a disabled code: the merchant's all the same, but without a webhook. */
  readonly disposition: 'payment' | 'late';
}

/**
 * Null where it counts for no code, by the rule of orders: another currency, a block older than the code, or value that
 * only a balance shows, for which no sender and no transaction are known. Any other amount is a payment,
 * whatever the code's default amount is.
 */
export function settleQrPayment(transfer: Transfer, qrCode: QrCode): QrPayment | null {
  // mark: qr-code-counts-its-own-currency
  if (transfer.from === '' || !countsFor(qrCode, transfer)) return null;
  const { disabledTime } = qrCode;
  const isAfterIt = disabledTime !== null && isLate({ timeExpire: disabledTime }, transfer);
  return { transfer, qrCode, disposition: isAfterIt ? 'late' : 'payment' };
}
