// What is kept of proven blocks has a bound, and the oldest go first.
import { expect, it } from 'vitest';
import type { DecodedTransaction } from './decode-transaction.ts';
import type { ProvenHeader } from './header.ts';
import { ProvenBodies } from './proven-bodies.ts';

it('so many transactions are kept at the most', () => {
  const bodies = new ProvenBodies();
  const at = (number: number): ProvenHeader => ({
    header: { number, hash: `${number}`, parentHash: '', time: 0 },
    timestampMs: 0n,
    transactionsRoot: '',
  });
  const transaction: DecodedTransaction = {
    id: 'a',
    outcome: 'succeeded',
    contract: { type: 1, owner: null, value: null, isClear: true },
  };
  const full = Array.from({ length: 9_999 }, () => transaction);
  for (const number of [1, 2, 3, 1, 4]) bodies.keep(at(number), full);
  expect([1, 2, 3, 4].filter((number) => bodies.has(number))).toEqual([1, 3, 4]);
  expect(bodies.of(at(1))).toHaveLength(9_999);
  bodies.keep(
    at(5),
    Array.from({ length: 40_000 }, () => transaction),
  );
  expect([1, 2, 3, 4, 5].some((number) => bodies.has(number))).toBe(false);
});
