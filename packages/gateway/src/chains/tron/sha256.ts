// SHA-256 of bytes as hex, which is Tron's hash for everything but addresses.
import { hash } from 'node:crypto';

/** 64 lower-case hex digits. The text has to be hex of whole bytes, which is checked where it comes in. */
export function sha256(hex: string): string {
  return hash('sha256', Buffer.from(hex, 'hex'));
}
