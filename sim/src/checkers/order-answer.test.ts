// How an order that is new may be answered: nothing collected, no confirmations, and its own page to pay at.
import { eth } from '@ducat/core/chain/definitions/eth';
import { expect, it } from 'vitest';
import { chainSetup } from '../actors/setup.ts';
import { Findings } from './findings.ts';
import { type AnsweredOrder, contractOf } from '../actors/shoppers.ts';
import { CHECKOUT_URL } from '../actors/sim-api.ts';
import { checkOrderAnswer } from './order-answer.ts';

const { definition } = chainSetup(eth, 3);
const [currency] = definition.currencies;
if (currency === undefined) throw new Error('a chain has a currency');

const answer = {
  chain: definition.name,
  token: currency.symbol,
  contract: contractOf(currency),
  decimal: currency.decimals,
  chain_id: definition.chainId,
  need_confirms: 3,
  amount_collected: '0',
  already_confirms: 0,
  entrust_url: `${CHECKOUT_URL}/ord_1`,
};

it.each([
  [{}, []],
  [{ need_confirms: 2 }, ['14']],
  [{ amount_collected: '0.5' }, ['14']],
  [{ already_confirms: 3 }, ['14']],
  [{ entrust_url: '' }, ['23']],
  [{ entrust_url: `${CHECKOUT_URL}/ord_2` }, ['23']],
])('an answer with %j is found as %j', (change, expected) => {
  const findings = new Findings(() => 0);
  // Only these fields are looked at.
  const order = {
    plan: { chain: { definition }, currency },
    answer: { ...answer, ...change },
    tradeNo: 'ord_1',
    address: '0xa',
    createTime: 1_000,
    timeExpire: 2_000,
  } as unknown as AnsweredOrder;
  checkOrderAnswer(order, { timeOut: 2_000, earliest: 1_000, latest: 1_000 }, [], findings);
  expect(findings.list.map(({ checker }) => checker.slice(0, 2))).toEqual(expected);
});
