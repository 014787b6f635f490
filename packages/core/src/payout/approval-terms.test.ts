// An approval ends, within thirty days, and allows no more fee than its payout does.
import { expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import { approvalProblem } from './approval-terms.ts';

const NOW = 1_763_626_800;
const DAYS_30 = 30 * 24 * 3_600;

it.each([
  [NOW, 90n, 'approval-ended'],
  [NOW + 1, 90n, null],
  [NOW + DAYS_30, 90n, null],
  [NOW + DAYS_30 + 1, 90n, 'approval-too-long'],
  [NOW + 1, 89n, null],
  [NOW + 1, 91n, 'approval-fee-too-high'],
])('until %i for a fee of %s: %s', (expiry, feeCap, problem) => {
  expect(approvalProblem({ feeCap: amountOf(1000, 90n) }, { expiry, feeCap }, NOW)).toBe(problem);
});
