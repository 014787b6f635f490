// What is worth collecting, and by how much: nothing is moved that costs more than it may, and nothing that is not there.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { add, amountOf, compare, subtract, unitsOf } from '../money/amount.ts';
import { mayBuildAnother } from '../outgoing/delegation.ts';
import { offerAll } from '../outgoing/offer-all.ts';
import { stillShort } from '../outgoing/still-short.ts';
import { mostUnits, type SendingTerms } from '../outgoing/terms.ts';
import { afterStep, failurePauseMs, MOST_FAILURES } from './after-step.ts';
import { afterDelegation, type DelegatedEnergy } from './after-delegation.ts';
import { cheaperOf, type CollectionPlan, movableOf, planCollection, planDelegated } from './plan.ts';
import type { CollectionPolicy } from './policy.ts';
import { gasRunway, isRunwayShort } from './runway.ts';
import type { StakeOffer } from './stake-offer.ts';
import { planTopUp, type PayingWallet } from './top-up.ts';
import { type Held, decideCost, worthOf } from './worth.ts';

const COIN = 1000;
const TOKEN = 1001;
const coin = (units: bigint) => amountOf(COIN, units);
const policy: CollectionPolicy = {
  minValue: 5_000_000n,
  maxCostPpm: 100_000n,
  windowMs: 60_000,
  dailyBudget: coin(1_000n),
  staker: null,
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

const evmTerms = fc
  .record({ gasLimit: fc.bigInt(21_000n, 300_000n), priceThen: fc.bigInt(1n, 10n ** 12n) })
  .map(({ gasLimit, priceThen }): SendingTerms & { family: 'evm' } => ({
    family: 'evm',
    gasLimit,
    priceThen,
    maxFeePerGas: 2n * priceThen,
    maxPriorityFeePerGas: 1n,
    isLegacy: false,
  }));
const units = fc.bigInt(0n, 10n ** 20n);

describe('a plan', () => {
  it('moves the coin down to nothing: what is not moved is offered for its transfer', () => {
    fc.assert(
      fc.property(evmTerms, units, (terms, has) => {
        const transfer = { terms, most: coin(mostUnits(terms)) };
        const own = { held: coin(has), nativeHeld: coin(has) };
        const plan = planCollection({ family: 'evm', isNative: true, ...own, transfer });
        if (plan === null) {
          expect(has).toBeLessThanOrEqual(mostUnits(terms));
          return;
        }
        expect(plan).toMatchObject({ method: 'native', funding: null });
        const offered = offerAll(terms, plan.gas);
        expect(offered).not.toBeNull();
        expect(offered === null ? null : mostUnits(offered) + unitsOf(plan.amount)).toBe(has);
        expect(plan.gas.units).toBeGreaterThanOrEqual(terms.gasLimit * terms.priceThen);
      }),
    );
  });

  it('funds a token with exactly what is missing, and on Tron leaves one unit of it', () => {
    fc.assert(
      fc.property(evmTerms, units, units, fc.boolean(), (evm, has, lies, isTron) => {
        const terms: SendingTerms = isTron ? { family: 'tron', feeLimit: evm.gasLimit } : evm;
        const transfer = { terms, most: coin(mostUnits(terms)) };
        const family = terms.family;
        const [token, nativeHeld] = [amountOf(TOKEN, has), coin(lies)];
        const plan = planCollection({ family, isNative: false, held: token, nativeHeld, transfer });
        const left = isTron ? 1n : 0n;
        if (plan === null) {
          expect(has).toBeLessThanOrEqual(left);
          return;
        }
        expect(unitsOf(plan.amount)).toBe(has - left);
        const coinThen = plan.funding === null ? nativeHeld : add(nativeHeld, plan.funding);
        if (plan.funding === null) expect(compare(coinThen, plan.gas)).toBeGreaterThanOrEqual(0);
        else expect(unitsOf(subtract(coinThen, plan.gas))).toBe(0n);
        // What lies there then pays for it: lower terms lift the lack that the estimate found.
        const most = coin(unitsOf(transfer.most));
        const lack = { needed: most, held: coinThen };
        const capped: SendingTerms =
          terms.family === 'evm' ? { ...terms, maxFeePerGas: unitsOf(plan.gas) / terms.gasLimit } : terms;
        expect(stillShort([lack], { terms: capped, most })).toBeNull();
      }),
    );
  });

  const staker = { address: `41${'77'.repeat(20)}`, permission: 2 };
  const offer: StakeOffer = {
    staker,
    stake: coin(7_000n),
    free: coin(7_000n),
    cost: coin(0n),
    rest: coin(0n),
  };
  const tokens = {
    family: 'tron',
    isNative: false,
    held: amountOf(TOKEN, 50n),
    nativeHeld: coin(0n),
  } as const;
  const stake = { staker, amount: coin(7_000n) };
  // hits mark: no-more-than-the-free-stake
  it.each<[string, Partial<StakeOffer>, bigint, object | null]>([
    ['activates the account', {}, 0n, { method: 'delegated', funding: coin(1n), gas: coin(1n), stake }],
    ['sends what bandwidth burns', { rest: coin(9n) }, 0n, { funding: coin(9n), gas: coin(9n) }],
    ['takes all that is free', { free: coin(7_001n) }, 1n, { stake }],
    ['leaves what others asked for', {}, 1n, null],
    ['leaves what is not free', { free: coin(6_999n) }, 0n, null],
  ])('by delegation %s', (_, change, underway, expected) => {
    const plan = planDelegated(tokens, { ...offer, ...change }, coin(underway));
    if (expected === null) expect(plan).toBeNull();
    else expect(plan).toMatchObject({ amount: amountOf(TOKEN, 49n), ...expected });
  });

  it('is the cheapest, and needs no stake where that saves nothing', () => {
    const has = { ...tokens, nativeHeld: coin(1n) };
    expect(planDelegated(has, offer, coin(0n))).toMatchObject({ funding: null, stake });
    expect(planDelegated({ ...has, isNative: true }, offer, coin(0n))).toBeNull();
    const least = (units: bigint) => ({ ...tokens, held: amountOf(TOKEN, units) });
    expect([1n, 2n].map((units) => planDelegated(least(units), offer, coin(0n))?.amount.units)).toEqual([
      undefined,
      1n,
    ]);
    const transfer = { terms: { family: 'tron', feeLimit: 5n } as const, most: coin(5n) };
    const [burning, delegated] = [
      planCollection({ ...tokens, transfer }),
      planDelegated(tokens, offer, coin(0n)),
    ];
    if (burning === null || delegated === null) throw new Error('both are plans');
    const at = (plan: CollectionPlan, cost: bigint) => ({ plan, cost: coin(cost) });
    expect(cheaperOf(at(burning, 5n), at(delegated, 4n)).plan).toBe(delegated);
    expect(cheaperOf(at(burning, 4n), at(delegated, 5n)).plan).toBe(burning);
    expect(cheaperOf(at(delegated, 5n), at(burning, 5n)).plan).toBe(burning);
    expect(cheaperOf(at(burning, 5n), at(delegated, 5n)).plan).toBe(burning);
  });

  it.each([
    [49n, null],
    [50n, null],
    [51n, { method: 'native', amount: 1n, gas: 50n, funding: null, stake: null }],
  ])('of %s of the coin, whose transfer costs 50', (has, expected) => {
    const own = { held: coin(has), nativeHeld: coin(has) };
    const evm = { family: 'evm', gasLimit: 10n, priceThen: 4n, maxFeePerGas: 9n } as const;
    const transfer = { terms: { ...evm, maxPriorityFeePerGas: 1n, isLegacy: false }, most: coin(90n) };
    const plan = planCollection({ family: 'evm', isNative: true, ...own, transfer });
    expect(plan && { ...plan, amount: plan.amount.units, gas: plan.gas.units }).toEqual(expected);
  });

  it.each([
    [10n, 0n, 'funded', 10n],
    [10n, 9n, 'funded', 1n],
    [10n, 10n, 'plain', null],
    [0n, 0n, 'funded', 1n],
    [0n, 1n, 'plain', null],
  ])('of a token, whose transfer burns %s where %s lie', (burns, lies, method, missing) => {
    const transfer = { terms: { family: 'tron', feeLimit: burns } as const, most: coin(burns) };
    const plan = planCollection({ ...tokens, nativeHeld: coin(lies), transfer });
    const funding = missing === null ? null : coin(missing);
    const gas = coin(burns === 0n ? 1n : burns);
    expect(plan).toEqual({ method, amount: amountOf(TOKEN, 49n), gas, funding, stake: null });
  });

  it('moves the coin of a Tron address down to nothing, and of a token none where one unit lies', () => {
    expect(movableOf(coin(5n), 'tron', true)).toEqual(coin(5n));
    const transfer = { terms: { family: 'tron', feeLimit: 1n } as const, most: coin(1n) };
    expect(planCollection({ ...tokens, held: amountOf(TOKEN, 1n), transfer })).toBeNull();
    const own = { held: coin(5n), nativeHeld: coin(6n), isNative: true };
    expect(() => planCollection({ ...tokens, ...own, transfer })).toThrow(Bug);
  });

  it('lacks what no cap lifts', () => {
    const terms: SendingTerms = { family: 'tron', feeLimit: 1n };
    const lack = { needed: amountOf(TOKEN, 2n), held: amountOf(TOKEN, 1n) };
    expect(stillShort([lack], { terms, most: coin(1n) })).toBe(lack);
  });

  it('waits where blocks take more than all that is offered', () => {
    const terms = { family: 'evm', gasLimit: 10n, priceThen: 11n, maxFeePerGas: 22n } as const;
    expect(offerAll({ ...terms, maxPriorityFeePerGas: 1n, isLegacy: false }, coin(109n))).toBeNull();
  });
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

describe('after a step', () => {
  const step = {
    state: 'moving',
    isDelegated: false,
    step: 'succeeded',
    trouble: null,
    failures: 0,
  } as const;

  // hits mark: a-failed-collection-never-loops
  it('goes on, ends, is planned anew later, or waits for an operator', () => {
    expect(afterStep({ ...step, state: 'funding' })).toEqual({ kind: 'move' });
    const withEnergy = { ...step, isDelegated: true };
    expect(afterStep({ ...withEnergy, state: 'funding' })).toEqual({ kind: 'delegate' });
    expect(afterStep({ ...withEnergy, state: 'delegating' })).toEqual({ kind: 'move' });
    expect(afterStep(withEnergy)).toEqual({ kind: 'collected' });
    expect(afterStep(step)).toEqual({ kind: 'collected' });
    const hour = 3_600_000;
    const odd = 'the chain moved something else than was asked for';
    expect(afterStep({ ...step, step: 'mismatched' })).toEqual({ kind: 'freeze', reason: odd });
    for (const open of ['prepared', 'signed'] as const)
      expect(afterStep({ ...step, step: open })).toEqual({ kind: 'nothing' });
    for (const unsigned of ['waiting', 'cancelled'] as const) {
      const after = (trouble: string | null) => afterStep({ ...step, step: unsigned, trouble, failures: 1 });
      expect(after('no gas')).toEqual({ kind: 'again', reason: 'no gas', pauseMs: 4 * hour });
      expect(after(null)).toMatchObject({ reason: 'it was taken back before anything was signed' });
    }
    const failed = Array.from({ length: MOST_FAILURES }, (_, failures) =>
      afterStep({ ...step, step: 'failed', failures }),
    );
    expect(failed).toEqual([
      { kind: 'again', reason: 'the transfer failed on the chain', pauseMs: hour },
      { kind: 'again', reason: 'the transfer failed on the chain', pauseMs: 4 * hour },
      { kind: 'freeze', reason: 'the transfer failed on the chain 3 times in a row' },
    ]);
    expect([0, 1, 2, 3, 4, 5_000].map((failures) => failurePauseMs(failures) / hour)).toEqual([
      1, 1, 4, 16, 24, 24,
    ]);
  });
});

describe('energy that was delegated', () => {
  const out: DelegatedEnergy = {
    delegated: 'succeeded',
    returned: null,
    returnedAtMs: null,
    returns: 0,
    isStuck: false,
    report: null,
    goneSinceMs: null,
  };
  const hour = 3_600_000;
  // hits mark: gone-only-after-an-hour
  // hits mark: taken-back-again-only-after-a-pause
  it.each<[string, Partial<DelegatedEnergy>, object]>([
    ['was never asked for', { delegated: null }, { kind: 'over', how: 'never' }],
    ['never was', { delegated: 'failed' }, { kind: 'over', how: 'never' }],
    ['was taken back before it was signed', { delegated: 'cancelled' }, { kind: 'over', how: 'never' }],
    ['has its place, and may be signed', { delegated: 'prepared' }, { kind: 'wait' }],
    ['may be there in part', { delegated: 'mismatched' }, { kind: 'ask' }],
    ['is about to be asked back', { returned: 'waiting' }, { kind: 'wait' }],
    ['has a place on its way back', { returned: 'prepared', report: 'gone' }, { kind: 'wait' }],
    ['came back in another way', { returned: 'mismatched', report: 'delegated' }, { kind: 'undelegate' }],
    ['waits to be signed', { delegated: 'waiting' }, { kind: 'cancel' }],
    ['may be in a block', { delegated: 'signed' }, { kind: 'wait' }],
    ['is there by the books', {}, { kind: 'ask' }],
    ['is there by the chain too', { report: 'delegated' }, { kind: 'undelegate' }],
    ['is on its way back', { returned: 'signed', report: 'gone' }, { kind: 'wait' }],
    ['is asked back in vain', { returned: 'waiting', isStuck: true }, { kind: 'cancel' }],
    ['was asked back in vain', { returned: 'cancelled', report: 'delegated' }, { kind: 'undelegate' }],
    [
      'was asked back in vain just now',
      { returned: 'failed', report: 'delegated', returns: 1, returnedAtMs: 1 },
      { kind: 'pause', untilMs: hour + 1 },
    ],
    [
      'was asked back in vain an hour ago',
      { returned: 'failed', report: 'delegated', returns: 1, returnedAtMs: 0 },
      { kind: 'undelegate' },
    ],
    [
      'was asked back in vain again and again',
      { returned: 'cancelled', report: 'delegated', returns: 9, returnedAtMs: 0 },
      { kind: 'pause', untilMs: 24 * hour },
    ],
    ['is back', { returned: 'succeeded' }, { kind: 'over', how: 'returned' }],
    ['is gone', { report: 'gone' }, { kind: 'doubt' }],
    ['is gone for long', { report: 'gone', goneSinceMs: 1 }, { kind: 'doubt' }],
    ['is gone for an hour', { report: 'gone', goneSinceMs: 0 }, { kind: 'over', how: 'taken' }],
    ['is there again', { report: 'delegated', goneSinceMs: 0 }, { kind: 'undelegate' }],
  ])('%s', (_, change, expected) => {
    expect(afterDelegation({ ...out, ...change }, hour)).toEqual(expected);
  });

  // hits mark: a-delegation-is-built-so-often
  it('is built anew six times, where a transfer is built as often as it takes', () => {
    const delegation = { action: 'undelegate', staker: { address: '41', permission: 2 } } as const;
    expect([5, 6].map((built) => mayBuildAnother(delegation, built))).toEqual([true, false]);
    expect(mayBuildAnother(null, 600)).toBe(true);
  });
});
