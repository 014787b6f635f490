// The number of a payment to a QR code, which follows from its transfer.
import { createHash } from 'node:crypto';
import type { Transfer } from '@ducat/core/chain/transfer';
import { transferReference } from '@ducat/core/ledger/recipes';

/** Ten digits of base 32 hold milliseconds for 35,000 years, twenty hold the 100 bits of 25 hexadecimal digits. */
const TIME_DIGITS = 10;
const HASH_DIGITS = 20;
const HASH_HEX_DIGITS = 25;

/**
 * Numbers are ordered by the time of the block. After a restored backup the same final transfer gets the same number
 * again, so a merchant who has acted on it recognises it. The number gives no access, so it may be easy to guess.
 */
export function qrPaymentNo(transfer: Transfer): string {
  const hash = createHash('sha256').update(transferReference(transfer)).digest('hex');
  const bits = BigInt(`0x${hash.slice(0, HASH_HEX_DIGITS)}`);
  return `qrp_${base32(BigInt(transfer.block.time) * 1000n, TIME_DIGITS)}${base32(bits, HASH_DIGITS)}`;
}

function base32(value: bigint, digits: number): string {
  return value.toString(32).padStart(digits, '0');
}
