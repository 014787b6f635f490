// What moved inside a call as JSON tells it: places that are the same on every node, and amounts that a chain can count.
import { expect, it } from 'vitest';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { internalMovements } from './native-transfers.ts';

const trx = testCurrency(1000, null);
const entry = (note: string, callValue: bigint, more: object = {}) => ({
  caller_address: `41${'a'.repeat(40)}`,
  transferTo_address: `41${'b'.repeat(40)}`,
  note: Buffer.from(note).toString('hex'),
  callValueInfo: [{ callValue }],
  ...more,
});

it('takes amounts up to the largest that the protocol has', () => {
  const [movement] = internalMovements([entry('call', 2n ** 63n - 1n)], trx) ?? [];
  expect(movement?.units).toBe(2n ** 63n - 1n);
  for (const units of [2n ** 63n, 10n ** 101n, -1n])
    expect(internalMovements([entry('call', units)], trx)).toBeNull();
});

it('numbers what can move TRX alone, so that vm.saveFeaturedInternalTx changes no place', () => {
  const moving = [
    entry('call', 1n, { rejected: true }),
    entry('create', 2n),
    entry('call', 0n),
    entry('suicide', 3n),
    entry('call', 4n),
  ];
  const featured = [
    'freezeForEnergy',
    'freezeBalanceV2ForBandwidth',
    'unfreezeBalanceV2ForEnergy',
    'withdrawExpireUnfreeze',
    'withdrawExpireUnfreezeWhileSuiciding',
    'cancelAllUnfreezeV2',
    'delegateResourceOfEnergy',
    'unDelegateResourceOfBandwidth',
    'vote',
    'withdrawReward',
  ].map((note) => entry(note, 9n));
  const kept = moving.flatMap((one, index) => [...featured.slice(0, index * 2), one, ...featured]);
  const found = internalMovements(moving, trx);
  expect(found?.map(({ position, units }) => `${position} ${units}`)).toEqual([
    'inner:1.0 2',
    'inner:3.0 3',
    'inner:4.0 4',
  ]);
  expect(internalMovements(kept, trx)).toEqual(found);
});
