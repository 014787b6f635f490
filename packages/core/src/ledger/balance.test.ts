// What an app is shown is the sum of its accounts, each counted once.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, amountOf, unitsOf } from '../money/amount.ts';
import { accountKinds } from './account.ts';
import { balanceOf } from './balance.ts';

const account = fc.record({
  kind: fc.constantFrom(...accountKinds),
  units: fc.bigInt({ min: 0n, max: 10n ** 30n }),
});

describe('balanceOf', () => {
  it('counts available as operable, frozen and unassigned as frozen, and nothing that is not the app’s', () => {
    fc.assert(
      fc.property(fc.array(account, { maxLength: 12 }), (accounts) => {
        const sumOf = (...kinds: readonly string[]) =>
          accounts.reduce((sum, { kind, units }) => (kinds.includes(kind) ? sum + units : sum), 0n);
        const rows = accounts.map(({ kind, units }) => ({ kind, balance: amountOf(1001, units) }));
        const { total, operable, frozen } = balanceOf(1001, rows);
        expect(unitsOf(operable)).toBe(sumOf('available'));
        expect(unitsOf(frozen)).toBe(sumOf('frozen', 'unassigned'));
        expect(total).toEqual(add(operable, frozen));
      }),
    );
  });

  // hits mark: operable-is-what-can-be-moved
  it('takes what cannot be moved from what is operable, and never more than there is', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 100n), fc.bigInt(0n, 100n), fc.bigInt(0n, 100n), (has, small, stuck) => {
        const of = (units: bigint) => amountOf(1001, units);
        const rows = [{ kind: 'available', balance: of(has) }] as const;
        const { total, operable, frozen } = balanceOf(1001, rows, { small: of(small), frozen: of(stuck) });
        const left = has - small - stuck;
        expect(unitsOf(operable)).toBe(left > 0n ? left : 0n);
        expect(unitsOf(frozen)).toBe(stuck < has ? stuck : has);
        expect(unitsOf(total)).toBe(has);
      }),
    );
  });

  it('is zero without accounts', () => {
    const nothing = amountOf(1001, 0n);
    expect(balanceOf(1001, [])).toEqual({ total: nothing, operable: nothing, frozen: nothing });
  });
});
