// What moved inside a call as JSON tells it: amounts that no chain can count are a lie, not a row for the books.
import { expect, it } from 'vitest';
import { testCurrency } from '../testing/test-currencies.ts';
import { internalMovements } from './native-transfers.ts';

const trx = testCurrency(1000, null);
const moved = (callValue: bigint) => [
  {
    caller_address: `41${'a'.repeat(40)}`,
    transferTo_address: `41${'b'.repeat(40)}`,
    note: Buffer.from('call').toString('hex'),
    callValueInfo: [{ callValue }],
  },
];

it('takes amounts up to the largest that the protocol has', () => {
  const [movement] = internalMovements(moved(2n ** 63n - 1n), trx) ?? [];
  expect(movement?.units).toBe(2n ** 63n - 1n);
  for (const units of [2n ** 63n, 10n ** 101n])
    expect(() => internalMovements(moved(units), trx)).toThrow('no chain can count');
});
