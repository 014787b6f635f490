// A surplus counts where a quorum reports the same of it, whatever the others say.
import { describe, expect, it } from 'vitest';
import { amountOf, unitsOf } from '../money/amount.ts';
import { eth } from './definitions/eth.ts';
import { tron } from './definitions/tron.ts';
import { agreeOnSurplus, beyondDust, dustOf, type Surplus, surplusOf } from './surplus.ts';

const COIN = 1000;
const amounts = (...units: readonly number[]) => units.map((one) => amountOf(COIN, BigInt(one)));
const reportOf = (...units: readonly number[]) =>
  surplusOf(['a', 'b'], { amounts: amounts(...units), expected: amounts(0, 0) });

describe('agreeOnSurplus', () => {
  it.each<
    readonly [string, readonly (readonly number[])[], number, Record<string, number>, readonly string[]]
  >([
    ['one provider, quorum of one', [[5, 0]], 1, { a: 5, b: 0 }, []],
    [
      'two alike',
      [
        [5, 0],
        [5, 0],
      ],
      2,
      { a: 5, b: 0 },
      [],
    ],
    [
      'two that differ in one address',
      [
        [5, 0],
        [6, 0],
      ],
      2,
      { b: 0 },
      ['a'],
    ],
    [
      'one of three is outvoted',
      [
        [5, 0],
        [6, 0],
        [5, 0],
      ],
      2,
      { a: 5, b: 0 },
      [],
    ],
    ['one report is no quorum of two', [[5, 0]], 2, {}, ['a', 'b']],
  ])('%s', (_, reports, quorum, agreed, disputed) => {
    const found = agreeOnSurplus(
      reports.map((units) => reportOf(...units)),
      quorum,
    );
    expect(
      Object.fromEntries([...found.agreed].map(([address, one]) => [address, Number(unitsOf(one))])),
    ).toEqual(agreed);
    expect(found.disputed).toEqual(disputed);
  });
});

it('a surplus is what is held less what is expected, and dust and losses are none', () => {
  const surplus = surplusOf(['a', 'b', 'c'], { amounts: amounts(7, 3, 100), expected: amounts(5, 4, 0) });
  expect([...beyondDust(surplus, amountOf(COIN, 2n)).keys()]).toEqual(['c']);
  expect([...beyondDust(surplus, amountOf(COIN, 1n)).keys()]).toEqual(['a', 'c']);
});

it('what has no report, or no expectation, has no surplus', () => {
  const surplus = surplusOf(['a', 'b', 'c'], { amounts: amounts(7, 3), expected: amounts(5) });
  expect(surplus).toEqual(new Map([['a', amountOf(COIN, 2n)]]));
  expect(surplusOf(['a', 'b'], { amounts: amounts(7), expected: amounts(5, 4) })).toEqual(surplus);
});

it('a report that lacks an address says nothing of it', () => {
  const partly: Surplus = new Map([['a', amountOf(COIN, 5n)]]);
  const reports = [partly, reportOf(5, 3), reportOf(5, 3)];
  expect(agreeOnSurplus(reports, 2)).toEqual({ agreed: reportOf(5, 3), disputed: [] });
  expect(agreeOnSurplus(reports.slice(0, 2), 2)).toEqual({ agreed: partly, disputed: ['b'] });
});

it('a token of few digits has dust of one unit', () => {
  const dusts = [0, 5, 6, 7].map((decimals) => unitsOf(dustOf({ currencyId: COIN, decimals })));
  expect(dusts).toEqual([1n, 1n, 1n, 10n]);
});

it('dust is a millionth of a whole coin', () => {
  const [coin, trx] = [eth.currencies[0], tron.currencies[0]];
  expect([coin, trx].map((one) => (one === undefined ? null : unitsOf(dustOf(one))))).toEqual([
    10n ** 12n,
    1n,
  ]);
});
