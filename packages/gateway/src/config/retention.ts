// After how many days finished rows leave the working tables.
import type { ConfigFile } from './schema.ts';

/** All values are in days; null for never. */
export interface RetentionConfig {
  readonly deliveriesAfterDays: number | null;
  readonly quoteEvidenceAfterDays: number | null;
  readonly apiCallsAfterDays: number | null;
}

/** A quarter, because disputes and monthly closings look back that far. The last attempt of an event is after one day. */
const DEFAULT_DAYS = 90;
/** Developers look up recent calls only. What a call did stays in the books for ever. */
const DEFAULT_CALL_DAYS = 14;

export function retentionConfig({ retention }: ConfigFile): RetentionConfig {
  return {
    deliveriesAfterDays: daysOf(retention?.deliveries_after_days),
    quoteEvidenceAfterDays: daysOf(retention?.quote_evidence_after_days),
    apiCallsAfterDays: daysOf(retention?.api_calls_after_days ?? DEFAULT_CALL_DAYS),
  };
}

function daysOf(days = DEFAULT_DAYS): number | null {
  return days === 0 ? null : days;
}
