// The version of settings, as a page showed them: a short text that changes whenever one of the settings changes.
import { createHash } from 'node:crypto';

/** The fields of `value` must always have the same order. */
export function versionOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
