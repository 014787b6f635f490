// The search of estimateenergy, held against an answer of java-tron 4.8 and at its bounds.
import { expect, it } from 'vitest';
import { estimateFeeLimit } from './estimate-fee-limit.ts';

const highest = 15_000_000_000n;
const from = (least: bigint) => (feeLimit: bigint) => Promise.resolve(feeLimit >= least);

it.each([
  // java-tron 4.8 answered 34,862 energy for a token transfer that used 27,889.
  ['what was measured', 27_889n, 2_788_900n, highest, 3_486_125n],
  ['more than twice needed', 10_000n, 3_000_000n, 9_000_000n, 3_750_000n],
  ['bounds one TRX apart', 11_000n, 0n, 2_100_000n, 2_100_000n],
  ['bounds one sun further apart', 11_000n, 0n, 2_100_001n, 1_600_000n],
])('%s', async (_, used, least, most, found) => {
  expect(await estimateFeeLimit(used, 100n, most, from(least))).toBe(found);
});

it('is nothing where the highest limit does not suffice either', async () => {
  expect(await estimateFeeLimit(10_000n, 100n, highest, from(highest + 1n))).toBeNull();
});
