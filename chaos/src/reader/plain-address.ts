// Addresses as the books keep them: lower-case hex, also for those of Tron, which people write in base58check.
import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const BASE58_LENGTH = 34;

/** Throws where the checksum of a Tron address is wrong. */
export function plainAddress(text: string): string {
  const isBase58 = text.length === BASE58_LENGTH && text.startsWith('T');
  return isBase58 ? Buffer.from(base58check.decode(text)).toString('hex') : text.toLowerCase();
}
