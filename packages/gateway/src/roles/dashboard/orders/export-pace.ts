// How often a merchant's people have files made: each is a long read, and an entry of a log that nobody may shorten.
import type { OperationName } from '@ducat/contract/dashboard/registry';
import { type BucketSize, createRateLimit } from '../../../http/rate-limit.ts';
import { refusal } from '../call.ts';

const EXPORTS: ReadonlySet<string> = new Set<OperationName>(['orders.export', 'balances.export-statement']);
/** Merchants whose pace is remembered. */
const MAX_PACED = 20_000;

export type ExportPace = (
  operation: string,
  merchantId: string | null,
  nowMs: number,
) => ReturnType<typeof refusal> | null;

/** Null for what makes no file, and where the merchant may have another one. */
export function createExportPace(size: BucketSize): ExportPace {
  const perMerchant = createRateLimit(size, MAX_PACED);
  return (operation, merchantId, nowMs) => {
    if (merchantId === null || !EXPORTS.has(operation)) return null;
    const waitS = perMerchant.take(merchantId, nowMs);
    if (waitS === 0) return null;
    return refusal('too-many', `too many files: try again in ${waitS} s`, { retryAfterS: waitS });
  };
}
