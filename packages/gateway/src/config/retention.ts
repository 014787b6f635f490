// After how long what is finished leaves the tables that are worked on.
import type { ConfigFile } from './schema.ts';

/** In days; null for never. */
export interface RetentionConfig {
  readonly deliveriesAfterDays: number | null;
  readonly quoteEvidenceAfterDays: number | null;
  readonly apiCallsAfterDays: number | null;
}

/** The last attempt of an event is made after one day. A quarter is what disputes and monthly closings look back on. */
const DEFAULT_DAYS = 90;
/** A developer looks for a call of these days; what it did stands in the books for ever. */
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
