// SHA-256 as hex, which is Tron's hash for everything but addresses.
import { hash } from 'node:crypto';

/** 64 lower-case hex digits. Text has to be hex of whole bytes, which is checked where it comes in. */
export function sha256(bytes: string | Buffer): string {
  return hash('sha256', typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bytes);
}
