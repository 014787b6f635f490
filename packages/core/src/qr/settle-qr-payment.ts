// Whether a final transfer to the address of a QR code is a payment of its own, or does not count for the code.
import type { Transfer } from '../chain/transfer.ts';
import { countsFor, isLate } from '../order/transition.ts';
import type { QrCode } from './qr-code.ts';

/** A final transfer that counts for a code. */
export interface QrPayment {
  readonly transfer: Transfer;
  readonly qrCode: QrCode;
  /** `late` where the code was disabled: the money is the merchant's all the same, but there is no webhook. */
  readonly disposition: 'payment' | 'late';
}

/**
 * Null where the transfer does not count for the code. As for orders, that is another currency, or a block older than the
 * code. It is also value that only a balance shows, because no sender and no transaction of it are known. Any amount is a
 * payment, whatever the code's default amount is.
 */
export function settleQrPayment(transfer: Transfer, qrCode: QrCode): QrPayment | null {
  // mark: qr-code-counts-its-own-currency
  if (transfer.from === '' || !countsFor(qrCode, transfer)) return null;
  const { disabledTime } = qrCode;
  const isAfterIt = disabledTime !== null && isLate({ timeExpire: disabledTime }, transfer);
  return { transfer, qrCode, disposition: isAfterIt ? 'late' : 'payment' };
}
