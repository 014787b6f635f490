// Until when, and how often, the payer of a hosted order may choose its currency.
import { expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import { type ChoiceState, decideChoice } from './currency-choice.ts';

const order = { status: 'TO-BE-PAID', timeExpire: 2_000, collected: amountOf(1001, 0n) } as const;
const state: ChoiceState = { order, offered: null, choices: 0, hasTransfers: false };

it.each<readonly [string, Partial<ChoiceState>, number, string]>([
  ['of whatever is on', {}, 1_999, 'allowed'],
  ['of what its merchant offers', { offered: [1000, 1001] }, 1_999, 'allowed'],
  ['of something else', { offered: [1000] }, 1_999, 'not-offered'],
  ['of nothing that is offered', { offered: [] }, 1_999, 'not-offered'],
  ['as it expires', {}, 2_000, 'ended'],
  ['of a paid order', { order: { ...order, status: 'PAID' } }, 1_999, 'ended'],
  ['of one that timed out', { order: { ...order, status: 'TIME-OUT' } }, 1_999, 'ended'],
  ['with money on its way', { hasTransfers: true }, 1_999, 'locked'],
  ['for the fiftieth time', { choices: 49 }, 1_999, 'allowed'],
  ['once more', { choices: 50 }, 1_999, 'too-often'],
])('a choice %s', (_, change, now, decision) => {
  expect(decideChoice({ ...state, ...change }, 1001, now)).toBe(decision);
});
