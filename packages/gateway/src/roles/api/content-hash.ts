// What "the same content" means to an operation that is idempotent by out_trade_no.
import { createHash } from 'node:crypto';

/**
 * The hash of a checked request in its current shape: keys sorted, absent and default time_out alike. Amounts are
 * compared as they were written.
 */
export function contentHash(request: Readonly<Record<string, unknown>>): string {
  const content = Object.entries(request)
    .filter(([name, value]) => value !== undefined && !(name === 'time_out' && value === 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
