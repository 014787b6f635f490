// The passwords that most people choose, by their digests. Where they come from: password-list/README.md.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Characters of base64: 48 bits, by which two passwords hardly ever meet. */
const DIGEST_LENGTH = 8;

const digests: ReadonlySet<string> = new Set(
  readFileSync(new URL('../../password-list/digests.txt', import.meta.url), 'utf8').split('\n'),
);

/** Whether a password is one of them, whatever its capitals. */
export function isFrequentPassword(password: string): boolean {
  const digest = createHash('sha256').update(password.toLowerCase()).digest('base64');
  return digests.has(digest.slice(0, DIGEST_LENGTH));
}
