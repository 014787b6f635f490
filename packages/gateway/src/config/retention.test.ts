// How long finished rows stay: the default, a number of days, and never.
import { expect, it } from 'vitest';
import { retentionConfig } from './retention.ts';

it.each([
  ['nothing', {}, { deliveriesAfterDays: 90, quoteEvidenceAfterDays: 90 }],
  [
    'days',
    { retention: { deliveries_after_days: 7, quote_evidence_after_days: 400 } },
    { deliveriesAfterDays: 7, quoteEvidenceAfterDays: 400 },
  ],
  [
    'never',
    { retention: { deliveries_after_days: 0, quote_evidence_after_days: 0 } },
    { deliveriesAfterDays: null, quoteEvidenceAfterDays: null },
  ],
])('reads %s', (_what, file, expected) => {
  expect(retentionConfig(file)).toEqual(expected);
});
