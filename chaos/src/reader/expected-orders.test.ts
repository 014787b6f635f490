// Shows what the reader expects of an order from the payments alone.
import { expect, it } from 'vitest';
import { expectOrder } from './expected-orders.ts';

const order = { currency_id: 1001, due: '10', time_expire: '100' };
const transfer = { chain: 'ETH', hash: '0x1', to: '0xaa', block: 1, place: 0, currencyId: 1001 };

it.each([
  ['exact', [[10, 50]], 'PAID', 10n, ['PAID 10']],
  [
    'in parts, the last in the last second',
    [
      [4, 50],
      [6, 100],
    ],
    'PAID',
    10n,
    ['TO-BE-PAID 4', 'PAID 10'],
  ],
  [
    'twice',
    [
      [10, 50],
      [10, 60],
    ],
    'PAID',
    20n,
    ['PAID 10'],
  ],
  ['a second late', [[10, 101]], 'TIME-OUT', 10n, ['TIME-OUT 0']],
  [
    'half in time',
    [
      [4, 50],
      [6, 101],
    ],
    'TIME-OUT',
    10n,
    ['TO-BE-PAID 4', 'TIME-OUT 4'],
  ],
  ['never', [], 'TIME-OUT', 0n, ['TIME-OUT 0']],
] as const)('%s', (_habit, payments, status, collected, events) => {
  const transfers = payments.map(([units, time]) => ({ ...transfer, units: BigInt(units), time }));
  const expected = expectOrder(order, transfers, { finalTime: 200 });
  expect([expected.status, expected.collected]).toEqual([status, collected]);
  expect(expected.events.map((event) => `${event.status} ${event.collected}`)).toEqual(events);
});

it('an event is of the transfer that caused it, a time-out of the newest that counted', () => {
  const paid = (hash: string, units: bigint, time: number) => ({ ...transfer, hash, units, time });
  const events = (...transfers: readonly (typeof transfer & { units: bigint; time: number })[]) =>
    expectOrder(order, transfers, { finalTime: 200 }).events.map(({ txId, time }) => `${txId} ${time}`);
  expect(events(paid('0x1', 4n, 50), paid('0x2', 6n, 60))).toEqual(['0x1 50', '0x2 60']);
  expect(events(paid('0x1', 4n, 50), paid('0x2', 6n, 150))).toEqual(['0x1 50', '0x1 100']);
  expect(events()).toEqual([' 100']);
});

it('another coin never counts, and before the expiry is final nothing has timed out', () => {
  const other = { ...transfer, currencyId: 1002, units: 10n, time: 50 };
  expect(expectOrder(order, [other], { finalTime: 100 })).toEqual({
    status: 'TO-BE-PAID',
    collected: 0n,
    events: [],
  });
});
