// What "the same content" of two requests means.
import { createHash } from 'node:crypto';

/**
 * A hash of the checked request in its current shape, with sorted keys. Missing fields are left out, and so are fields for
 * which `isLeftOut` is true. Amounts are compared as they were written.
 */
export function contentHash(
  request: object,
  isLeftOut: (name: string, value: unknown) => boolean = () => false,
): string {
  const content = Object.entries(request)
    .filter(([name, value]) => value !== undefined && !isLeftOut(name, value))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
