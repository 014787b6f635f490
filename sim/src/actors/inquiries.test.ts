// What the inquiries ask otherwise, and how many confirmations a payment can have had.
import { eth } from '@ducat/core/chain/definitions/eth';
import { describe, expect, it } from 'vitest';
import { appSetup, chainSetup } from './setup.ts';
import { Chance } from '../world/chance.ts';
import { depthOfPayment, otherContents } from './inquiries.ts';
import { rulesOf } from '../nodes/reader-of.ts';
import { type AnsweredOrder, PAYER } from './shoppers.ts';
import { orderRequest } from './sim-api.ts';
import { SimChain } from '../nodes/sim-chain.ts';
import type { OrderPlan } from './order-plans.ts';

const { definition } = chainSetup(eth, 3);
const address = `0x${'01'.repeat(20)}`;

function newChain(): SimChain {
  const chance = new Chance(1, 'chain');
  return new SimChain({
    definition,
    rules: rulesOf(definition),
    startTime: 1_000,
    finalityBlocks: 5,
    chance,
  });
}

function pay(chain: SimChain, units: bigint): void {
  const currencyId = definition.currencies[0]?.currencyId ?? 0;
  chain.send([{ currencyId, from: PAYER, to: address, units }], false);
  chain.mine(chain.time * 1000 + 8_000, 1, 1);
}

function mineEmpty(chain: SimChain): void {
  chain.mine(chain.time * 1000 + 8_000, 1, 1);
}

describe('otherContents', () => {
  const [currency] = definition.currencies;
  if (currency === undefined) throw new Error('a chain has a currency');
  const tokens: OrderPlan = {
    app: appSetup(1, 'prompt'),
    outTradeNo: 'order-0',
    chain: newChain(),
    currency,
    tokenAmount: '12.5',
    fiatName: null,
    fiatAmount: null,
    callbackUrl: null,
    redirectUrl: null,
    lifeS: 100,
    timeOuts: [],
    twinOf: null,
  };
  const always = ['callback_url', 'currency_id', 'redirect_url', 'time_out'];

  it.each([
    ['tokens', tokens, ['fiat_amount', 'fiat_name', 'token_amount']],
    [
      'fiat',
      { ...tokens, tokenAmount: null, fiatName: 'USD', fiatAmount: '5.25' },
      ['fiat_amount', 'fiat_name'],
    ],
    [
      'a fiat label beside tokens',
      { ...tokens, fiatName: 'EUR', fiatAmount: '5.25' },
      ['fiat_amount', 'fiat_name', 'token_amount'],
    ],
  ] as const)('changes each field of a price in %s', (_, plan, fields) => {
    // Only these fields are looked at.
    const order = { plan, timeExpire: 2_000, units: 12_500_000n } as AnsweredOrder;
    const request = orderRequest(plan, 2_000);
    const changes = otherContents(order);
    for (const change of changes) expect({ ...request, ...change }).not.toEqual(request);
    const changed = new Set(changes.flatMap((change) => Object.keys(change)));
    expect([...changed].toSorted()).toEqual([...always, ...fields].toSorted());
    // A name and an amount that were there change one without the other.
    const alone = changes.filter((change) => Object.keys(change).length === 1);
    expect(alone.some((change) => 'fiat_name' in change)).toBe(plan.fiatName !== null);
  });
});

describe('depthOfPayment', () => {
  const order = (chain: SimChain) => ({
    chain,
    address,
    currencyId: definition.currencies[0]?.currencyId ?? 0,
  });

  it('is nothing where nobody paid, and counts from the block of the oldest payment', () => {
    const chain = newChain();
    mineEmpty(chain);
    pay(chain, 0n);
    expect(depthOfPayment(order(chain))).toBe(0);
    pay(chain, 5n);
    expect(depthOfPayment(order(chain))).toBe(1);
    pay(chain, 5n);
    expect(depthOfPayment(order(chain))).toBe(2);
    expect(depthOfPayment({ ...order(chain), address: PAYER })).toBe(0);
  });

  it('remembers a branch that was lost, which the books may still be at', () => {
    const chain = newChain();
    pay(chain, 5n);
    mineEmpty(chain);
    chain.fork(2, 2, 'dropped');
    expect(depthOfPayment(order(chain))).toBe(2);
  });
});
