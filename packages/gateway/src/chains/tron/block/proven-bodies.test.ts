// What is kept of proven blocks has a bound, and the oldest go first.
import { expect, it } from 'vitest';
import type { DecodedTransaction } from './decode-transaction.ts';
import type { ProvenHeader } from './header.ts';
import { createProvenBodies, provenBody } from './proven-bodies.ts';

const transaction: DecodedTransaction = {
  id: 'a',
  outcome: 'succeeded',
  contract: { owner: null, value: null, runsCode: false },
};

function at(number: number): ProvenHeader {
  return {
    header: { number, hash: `${number}`, parentHash: '', time: 0 },
    timestampMs: 0n,
    transactionsRoot: '',
  };
}

it('so many transactions are kept at the most', () => {
  const bodies = createProvenBodies();
  const keep = (number: number, count: number): void => {
    bodies.set(number, {
      proven: at(number),
      transactions: Array.from({ length: count }, () => transaction),
    });
  };
  for (const number of [1, 2, 3, 1, 4]) keep(number, 9_999);
  expect([1, 2, 3, 4].filter((number) => bodies.has(number))).toEqual([1, 3, 4]);
  expect(provenBody(bodies, at(1))).toHaveLength(9_999);
  keep(1, 40_000);
  expect([1, 3, 4].filter((number) => bodies.has(number))).toEqual([3, 4]);
});

it('empty blocks count too', () => {
  const bodies = createProvenBodies();
  for (let number = 0; number < 40_000; number++)
    bodies.set(number, { proven: at(number), transactions: [] });
  expect(bodies.size).toBe(32_768);
});
