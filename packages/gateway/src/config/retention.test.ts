// How long finished rows stay: the default, a number of days, and never.
import { expect, it } from 'vitest';
import { retentionConfig } from './retention.ts';

it.each([
  ['nothing', {}, { deliveriesAfterDays: 90, quoteEvidenceAfterDays: 90, apiCallsAfterDays: 14 }],
  [
    'days',
    { retention: { deliveries_after_days: 7, quote_evidence_after_days: 400, api_calls_after_days: 2 } },
    { deliveriesAfterDays: 7, quoteEvidenceAfterDays: 400, apiCallsAfterDays: 2 },
  ],
  [
    'never',
    { retention: { deliveries_after_days: 0, quote_evidence_after_days: 0, api_calls_after_days: 0 } },
    { deliveriesAfterDays: null, quoteEvidenceAfterDays: null, apiCallsAfterDays: null },
  ],
])('reads %s', (_what, file, expected) => {
  expect(retentionConfig(file)).toEqual(expected);
});
