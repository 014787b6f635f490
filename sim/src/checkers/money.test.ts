// When an order may time out: by the chain's own blocks, whatever the books say of the time of one.
import { eth } from '@ducat/core/chain/definitions/eth';
import { expect, it } from 'vitest';
import type { MoneyRows } from './books.ts';
import { chainSetup } from '../actors/setup.ts';
import { Chance } from '../world/chance.ts';
import { Findings } from './findings.ts';
import { rulesOf } from '../nodes/reader-of.ts';
import { SimChain } from '../nodes/sim-chain.ts';
import { MoneyChecker } from './money.ts';

const { definition } = chainSetup(eth, 3);
const START_TIME = 1_000;
const BLOCK_S = 10;

/** Ten blocks, of which the chain calls the fifth final; a block has ten seconds. */
function chainOfTen(): SimChain {
  const chance = new Chance(1, 'chain');
  const rules = rulesOf(definition);
  const chain = new SimChain({ definition, rules, startTime: START_TIME, finalityBlocks: 5, chance });
  for (let block = 1; block <= 10; block++) chain.mine((START_TIME + block * BLOCK_S) * 1000, block, 1);
  return chain;
}

function timedOut(timeExpire: number, finalNumber: number, finalTime: number): MoneyRows {
  const order = {
    trade_no: 'ord_1',
    app_id: 'app_1',
    out_trade_no: 'a',
    chain: definition.name,
    currency_id: 1,
    address: '0xa',
    due: '1',
    collected: '0',
    status: 'TIME-OUT',
    create_time: START_TIME,
    time_expire: timeExpire,
  };
  const cursor = {
    chain: definition.name,
    head_number: 10,
    final_number: finalNumber,
    final_time: finalTime,
    halted_reason: null,
    reorgs: 0,
  };
  return { orders: [order], cursors: [cursor], transfers: [] };
}

it.each([
  ['takes a time-out before the time of the final block', timedOut(1_049, 5, 1_050), []],
  ['finds one at the time of the final block', timedOut(1_050, 5, 1_050), ['22']],
  ['finds one by a wrong time in the books', timedOut(1_055, 5, 1_100), ['22']],
  ['finds one by a block that the chain does not call final', timedOut(1_055, 7, 1_070), ['22']],
  ['takes one although the books show its time too early', timedOut(1_045, 5, 1_000), []],
])('%s', (_, rows, expected) => {
  const findings = new Findings(() => 0);
  new MoneyChecker([chainOfTen()], findings).check(rows);
  expect(findings.list.map(({ checker }) => checker.slice(0, 2))).toEqual(expected);
});
