// The rate limit of a merchant's exports: each is a long read, and adds an entry to the audit log, which is never shortened.
import type { OperationName } from '@ducat/contract/dashboard/registry';
import { type BucketSize, createRateLimit } from '../../../http/rate-limit.ts';
import { refusal } from '../call.ts';

const EXPORTS: ReadonlySet<string> = new Set<OperationName>(['orders.export', 'balances.export-statement']);
/** How many merchants the rate limit remembers. */
const MAX_PACED = 20_000;

export type ExportPace = (
  operation: string,
  merchantId: string | null,
  nowMs: number,
) => ReturnType<typeof refusal> | null;

/** Null for an operation that makes no file, and while the merchant is within the limit. */
export function createExportPace(size: BucketSize): ExportPace {
  const perMerchant = createRateLimit(size, MAX_PACED);
  return (operation, merchantId, nowMs) => {
    if (merchantId === null || !EXPORTS.has(operation)) return null;
    const waitS = perMerchant.take(merchantId, nowMs);
    if (waitS === 0) return null;
    return refusal('too-many', `too many files: try again in ${waitS} s`, { retryAfterS: waitS });
  };
}
