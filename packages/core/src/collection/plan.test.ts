// How an address is emptied: nothing is moved that is not there, and nothing is paid in that is not needed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { add, amountOf, compare, subtract, unitsOf } from '../money/amount.ts';
import { offerAll } from '../outgoing/offer-all.ts';
import { stillShort } from '../outgoing/still-short.ts';
import { mostUnits, type SendingTerms } from '../outgoing/terms.ts';
import { cheaperOf, type CollectionPlan, movableOf, planCollection, planDelegated } from './plan.ts';
import type { StakeOffer } from './stake-offer.ts';

const COIN = 1000;
const TOKEN = 1001;
const coin = (units: bigint) => amountOf(COIN, units);

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
