// SHA-256 as hex, which is Tron's hash for everything but addresses.
import { hash } from 'node:crypto';

/** 64 lower-case hex digits. A text has to be hex of whole bytes, which the caller has checked. */
export function sha256(bytes: string | Buffer): string {
  return hash('sha256', typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bytes);
}
