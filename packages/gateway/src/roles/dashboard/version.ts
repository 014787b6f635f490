// A short text that is another one whenever what it stands for is: settings as a page showed them.
import { createHash } from 'node:crypto';

/** Of a value whose fields always stand in the same order. */
export function versionOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
