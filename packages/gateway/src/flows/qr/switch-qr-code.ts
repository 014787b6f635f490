// Disables a QR code, or enables it again. Its address stays watched either way.
import type { Tx } from '../../db/postgres/tx.ts';
import { updateDisabledTime } from '../../db/tables/qr/qr-codes.ts';

export interface SwitchQrCode {
  readonly qrCodeId: number;
  readonly isDisabled: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** Returns whether there is such a QR code. Payments that are final already stay as they were reported. */
export function switchQrCode(tx: Tx, { qrCodeId, isDisabled, now }: SwitchQrCode): Promise<boolean> {
  return updateDisabledTime(tx, qrCodeId, isDisabled ? now : null);
}
