// What is worth collecting, how long the gas lasts, and what a wallet that pays out gets of it.
import { describe, expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import { chooseSweep } from './choose-sweep.ts';
import type { CollectionPolicy } from './policy.ts';
import { gasRunway, isRunwayShort } from './runway.ts';
import { stakeAtWallets, strayPlaces, strayStake } from './stake-places.ts';
import { energyForCollections, stakeRunway } from './stake-runway.ts';
import { nextSweeperRequest, type SweeperRequest } from './sweeper-request.ts';
import { planTopUp, type PayingWallet } from './top-up.ts';
import { type Held, decideCost, worthOf } from './worth.ts';

const COIN = 1000;
const DAY_MS = 86_400_000;
const coin = (units: bigint) => amountOf(COIN, units);
const policy: CollectionPolicy = {
  minValue: 5_000_000n,
  maxCostPpm: 100_000n,
  windowMs: 60_000,
  dailyBudget: coin(1_000n),
  staker: null,
  sponsored: false,
  topUpPayouts: 10n,
  topUpBudget: coin(1_000n),
  runway: { days: 7n, payouts: 50n },
};
const held: Held = { movable: coin(10n), value: 6_000_000n, sinceMs: 0, isDemanded: false, minOfApp: 0n };

describe('what a deposit address holds', () => {
  // hits mark: collection-needs-a-value
  // hits mark: small-holdings-stay
  it.each<[string, Partial<Held>, number, object]>([
    ['nothing', { movable: coin(0n) }, 60_000, { kind: 'empty' }],
    ['less than the threshold', { value: 4_999_999n }, 60_000, { kind: 'small' }],
    ['exactly the threshold', { value: 5_000_000n }, 60_000, { kind: 'ask' }],
    ['exactly what its app wants', { value: 6_000_000n, minOfApp: 6_000_000n }, 60_000, { kind: 'ask' }],
    ['less than its app wants', { minOfApp: 6_000_001n }, 60_000, { kind: 'small' }],
    [
      'less than the operator wants, though enough for its app',
      { value: 4_999_999n, minOfApp: 1n },
      60_000,
      { kind: 'small' },
    ],
    ['enough, and the window is open', {}, 59_999, { kind: 'later', atMs: 60_000, reason: null }],
    ['enough, after the window', {}, 60_000, { kind: 'ask' }],
    ['what a payout waits for', { value: 1n, isDemanded: true }, 0, { kind: 'ask' }],
    [
      'what has no known value',
      { value: null, isDemanded: true },
      60_000,
      { kind: 'later', atMs: 960_000, reason: 'no source has a price for it' },
    ],
  ])('%s', (_, change, nowMs, expected) => {
    expect(worthOf({ ...held, ...change }, policy, nowMs)).toEqual(expected);
  });

  // hits mark: never-dearer-than-it-may-be
  // hits mark: collection-stays-in-its-budget
  it.each<[string, bigint, bigint, bigint, string]>([
    ['costs a tenth', 100n, 10n, 0n, 'collect'],
    ['costs more than a tenth', 100n, 11n, 0n, 'too-dear'],
    ['fills the budget', 100n, 1n, 990n, 'collect'],
    ['would break the budget', 100n, 1n, 991n, 'over-budget'],
  ])('%s', (_, value, costValue, spent, verdict) => {
    expect(decideCost({ value, cost: coin(10n), costValue, spent: coin(spent) }, policy)).toBe(verdict);
  });
});

it('ends the windows of what is swept together at the same times', () => {
  const sponsored = { ...policy, sponsored: true };
  const opens = (sinceMs: number) => worthOf({ ...held, sinceMs }, sponsored, 0);
  for (const sinceMs of [1, 59_999, 60_000]) expect(opens(sinceMs)).toMatchObject({ atMs: 120_000 });
  expect(opens(60_001)).toMatchObject({ atMs: 180_000 });
  expect(worthOf({ ...held, sinceMs: 7 }, { ...sponsored, windowMs: 0 }, 7)).toEqual({ kind: 'ask' });
});

// hits mark: together-only-where-cheaper
it.each([
  ['costs as much as each by itself', [50n, 50n], 100n, null, { kind: 'alone' }],
  ['costs less', [50n, 50n], 99n, null, { kind: 'together', share: coin(50n) }],
  [
    'costs less, and its shares make up the whole',
    [50n, 50n, 50n],
    100n,
    null,
    { kind: 'together', share: coin(34n) },
  ],
  ['earns its sweeper', [50n, 50n], 59n, 40n, { kind: 'deploy' }],
  ['does not earn its sweeper', [50n, 50n], 60n, 40n, { kind: 'alone' }],
  ['is of one', [50n], 60n, null, { kind: 'alone' }],
] as const)('chooses a sweep that %s', (_, alone, together, deployment, choice) => {
  const costs = { alone: alone.map(coin), together: coin(together) };
  expect(chooseSweep({ ...costs, deployment: deployment === null ? null : coin(deployment) })).toEqual(
    choice,
  );
});

// hits mark: a-sweeper-is-asked-for-once-a-day
it.each<[string, SweeperRequest | null, string]>([
  ['never was asked for', null, 'ask'],
  ['is on its way', { endedAtMs: null }, 'wait'],
  ['ended today', { endedAtMs: 1 }, 'not-now'],
  ['ended yesterday', { endedAtMs: 0 }, 'ask'],
])('asks for a sweeper that %s', (_, last, next) => {
  expect(nextSweeperRequest(last, DAY_MS)).toBe(next);
});

it('says how many days and payouts the gas lasts, and when that is too little', () => {
  const runway = (held: bigint, spent: bigint, each: bigint | null) =>
    gasRunway({ held: coin(held), spent: coin(spent), perPayout: each === null ? null : coin(each) });
  expect(runway(100n, 70n, 30n)).toEqual({ days: 10n, payouts: 3n });
  expect(runway(0n, 70n, 30n)).toEqual({ days: 0n, payouts: 0n });
  expect(runway(-1n, 70n, 30n)).toEqual({ days: 0n, payouts: 0n });
  expect(runway(100n, 0n, null)).toEqual({ days: null, payouts: null });
  expect(runway(100n, 0n, 0n).payouts).toBeNull();
  expect(runway(19n, 70n, 20n)).toEqual({ days: 1n, payouts: 0n });
  const isShort = (days: bigint | null, payouts: bigint | null) =>
    isRunwayShort({ days, payouts }, { days: 7n, payouts: 50n });
  expect([isShort(7n, 50n), isShort(6n, 50n), isShort(7n, 49n), isShort(null, null)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

describe('a wallet that pays out', () => {
  const wallet = { openPayouts: 2, openCoin: coin(0n), isCollecting: false, perPayout: coin(10n) };
  const send = (amount: bigint) => ({ kind: 'send', amount: coin(amount) });

  // hits mark: topped-up-only-below-half
  // hits mark: top-ups-stay-in-their-budget
  // hits mark: top-ups-are-for-fees
  it.each<[string, bigint, Partial<PayingWallet>, bigint, object]>([
    ['holds enough for those that are open and five more', 70n, {}, 1_000n, { kind: 'enough' }],
    ['holds less: all of ten is left afterwards', 69n, {}, 1_000n, send(51n)],
    ['takes what the budget has left', 0n, {}, 30n, send(30n)],
    ['takes nothing that pays for no payout', 0n, {}, 9n, { kind: 'over-budget' }],
    [
      'waits for coin that is collected',
      70n,
      { openCoin: coin(500n), isCollecting: true },
      1_000n,
      { kind: 'enough' },
    ],
    ['gets what fees took of the coin', 480n, { openCoin: coin(500n) }, 1_000n, send(140n)],
    ['gets as much as ten payouts cost of it', 400n, { openCoin: coin(500n) }, 1_000n, send(220n)],
    ['never gets the coin that lies elsewhere', 399n, { openCoin: coin(500n) }, 1_000n, { kind: 'enough' }],
    ['gets fees alone where it has none of the coin', 0n, { openCoin: coin(500n) }, 1_000n, send(120n)],
    ['gets fees alone where the books show less than none', -700n, {}, 1_000n, send(120n)],
    [
      'never gets what it pays out and holds',
      570n,
      { openCoin: coin(500n), isCollecting: true },
      1_000n,
      { kind: 'enough' },
    ],
    ['takes what pays for one payout', 0n, {}, 10n, send(10n)],
    ['gets less than a payout costs, where that is all', 0n, { openPayouts: 0 }, 1_000n, send(100n)],
    ['gets nothing where payouts cost nothing', 0n, { perPayout: coin(0n) }, 1_000n, { kind: 'enough' }],
  ])('%s', (_, units, change, budgetLeft, expected) => {
    const planned = planTopUp(
      { ...wallet, held: coin(units), ...change },
      { payouts: 10n, budgetLeft: coin(budgetLeft) },
    );
    expect(planned).toEqual(expected);
  });
});

it('a stake covers a usual day so many times, and what it does not cover is burnt', () => {
  const sun = (units: bigint) => amountOf(3000, units);
  const runway = (energyADay: bigint, collections: bigint, transferEnergy: bigint | null = 65_000n) =>
    stakeRunway({ energyADay, transferEnergy, energyPrice: sun(100n), collections });
  // Ten a day, and the stake brings 14 and a bit.
  expect(runway(950_000n, 70n)).toEqual({ transfersADay: 14n, coveragePercent: 146n, burntADay: sun(0n) });
  // Twenty a day: 1,300,000 less 950,000 is burnt.
  expect(runway(950_000n, 140n)).toEqual({
    transfersADay: 14n,
    coveragePercent: 73n,
    burntADay: sun(35_000_000n),
  });
  // A seventh of a transfer more than there is rounds up.
  expect(runway(0n, 1n).burntADay).toEqual(sun(9_286n * 100n));
  expect(runway(950_000n, 0n)).toEqual({ transfersADay: 14n, coveragePercent: null, burntADay: sun(0n) });
  expect(runway(950_000n, 70n, null)).toEqual({
    transfersADay: null,
    coveragePercent: null,
    burntADay: null,
  });
});

it('energy at wallets stays, and at deposit addresses it is stray, but for what is locked', () => {
  const sun = (units: bigint) => amountOf(3000, units);
  const place = (
    branch: 'wallet' | 'deposit',
    address: string,
    stake = 1n,
    { withoutLock = stake } = {},
  ) => ({
    address,
    path: { account: 1, branch, index: 0 },
    stake: sun(stake),
    withoutLock: sun(withoutLock),
  });
  const places = [
    place('wallet', 'w1', 30n, { withoutLock: 10n }),
    place('wallet', 'w2', 5n),
    place('deposit', 'd2', 9n, { withoutLock: 4n }),
    place('deposit', 'd3', 8n, { withoutLock: 0n }),
    place('deposit', 'd4'),
  ];
  expect(strayPlaces(places).map(({ address }) => address)).toEqual(['d2', 'd4']);
  expect(strayStake(places, 3000)).toEqual(sun(5n));
  expect(stakeAtWallets(places, 3000)).toEqual(sun(35n));
  const left = [0n, 10n, 45n, 114n, 115n, 116n].map((delegated) =>
    energyForCollections({ energyADay: 1_000n, staked: sun(105n), delegated: sun(delegated) }, sun(10n)),
  );
  expect(left).toEqual([1_000n, 1_000n, 666n, 9n, 0n, 0n]);
  const none = { energyADay: 0n, staked: sun(0n), delegated: sun(0n) };
  expect(energyForCollections(none, sun(0n))).toBe(0n);
  expect([strayStake([], 3000), stakeAtWallets([], 3000)]).toEqual([sun(0n), sun(0n)]);
});
