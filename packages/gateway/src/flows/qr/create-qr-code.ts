// Makes a QR code: takes an address for good and writes the row, or finds the code that the same call made before.
import { outOfSight, type Reader, type Transact, violates } from '../../db/postgres/tx.ts';
import {
  findQrCodeByKey,
  insertQrCode,
  type NewQrCode,
  type QrCodeDetail,
} from '../../db/tables/qr/qr-codes.ts';

export type CreatedQrCode =
  | { readonly outcome: 'created'; readonly qrCode: QrCodeDetail }
  /** The app used this idempotency key before. The caller compares the requests. */
  | { readonly outcome: 'exists'; readonly qrCode: QrCodeDetail }
  /** A request with this signature made a QR code under another idempotency key. The client has to sign a new request. */
  | { readonly outcome: 'replayed' }
  | { readonly outcome: 'pool-empty' };

/** One statement writes everything, as for an order. Unique constraints decide between parallel requests. */
export async function createQrCode(
  transact: Transact,
  reader: Reader,
  code: NewQrCode,
): Promise<CreatedQrCode> {
  let isSameCall = false;
  try {
    const created = await transact((tx) => insertQrCode(tx, code), 'one-statement');
    return created === null ? { outcome: 'pool-empty' } : { outcome: 'created', qrCode: created };
  } catch (error) {
    // mark: one-qr-code-per-call
    const isRepeated = violates(error, 'qr_codes_one_per_call');
    // mark: one-qr-code-per-signature
    if (!isRepeated && !violates(error, 'qr_codes_one_per_signature')) throw error;
    isSameCall = isRepeated;
  }
  const standing = await findQrCodeByKey(reader, code.appId, code.idempotencyKey);
  if (standing !== null) return { outcome: 'exists', qrCode: standing };
  if (isSameCall) throw outOfSight(`the QR code of ${code.idempotencyKey}, which broke a unique key,`);
  return { outcome: 'replayed' };
}
