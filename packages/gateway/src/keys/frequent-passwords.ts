// The most frequent passwords, by their digests. password-list/README.md names their source.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFolder } from '../runtime/package-folder.ts';

/** Characters of base64: 48 bits, so two passwords hardly ever have the same digest. */
const DIGEST_LENGTH = 8;

const digests: ReadonlySet<string> = new Set(
  readFileSync(new URL('password-list/digests.txt', packageFolder), 'utf8').split('\n'),
);

/** Whether a password is a frequent one. Upper and lower case count as the same. */
export function isFrequentPassword(password: string): boolean {
  const digest = createHash('sha256').update(password.toLowerCase()).digest('base64');
  return digests.has(digest.slice(0, DIGEST_LENGTH));
}
