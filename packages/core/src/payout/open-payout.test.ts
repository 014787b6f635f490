// What a payout costs and what leaves the balance, to the unit, and every reason why it is not opened.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eth } from '../chain/definitions/eth.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import {
  changeOf,
  feeCapOf,
  NO_CEILING,
  openPayout,
  payoutAmount,
  type PayoutLedger,
  type PayoutRules,
} from './open-payout.ts';

const usdt = eth.currencies.find(({ currencyId }) => currencyId === 1001)!;
const units = (count: bigint) => amountOf(usdt.currencyId, count);
const rules: PayoutRules = {
  feePpm: 300n,
  feeMode: 'on-top',
  maxValue: 10_000_000_000n,
  maxDayValue: 50_000_000_000n,
  approvalAbove: null,
  isAddressListOn: false,
  coolingS: 86_400,
  ceiling: NO_CEILING,
};
const ledger: PayoutLedger = {
  operable: units(10n ** 30n),
  dayValue: 0n,
  merchantDayValue: 0n,
  listedAt: null,
};
const request = { currency: usdt, amount: units(10_000_000n), gas: units(250_000n), value: 10_000_000n };
const NOW = 1_763_626_800;

describe('the fee cap of a payout', () => {
  it('is tenfold what its terms allowed', () => {
    expect(feeCapOf(amountOf(1000, 7n), 'evm')).toEqual(amountOf(1000, 70n));
    expect(feeCapOf(amountOf(3000, 9_000_000n), 'tron')).toEqual(amountOf(3000, 90_000_000n));
  });

  it('lets a transfer on Tron burn TRX that would have cost nothing when it was quoted', () => {
    expect(feeCapOf(amountOf(3000, 0n), 'tron')).toEqual(amountOf(3000, 30_000_000n));
    expect(feeCapOf(amountOf(1000, 0n), 'evm')).toEqual(amountOf(1000, 1n));
  });
});

describe('the terms of a payout', () => {
  it.each([
    ['on-top', 10_000_000n, 10_253_000n],
    ['deducted', 9_747_000n, 10_000_000n],
  ] as const)('of 10 USDT with fees %s: %s arrive, %s leave', (feeMode, receipt, reserved) => {
    const opened = openPayout(request, { ...rules, feeMode }, ledger, NOW);
    expect(opened).toMatchObject({
      ok: true,
      value: {
        terms: { receipt: units(receipt), reserved: units(reserved), serviceCharge: units(3_000n) },
        needsApproval: false,
      },
    });
  });

  it('lose and make nothing, whatever amount, gas and charge: the charge is rounded down', () => {
    const big = fc.bigInt({ min: 1n, max: 10n ** 40n });
    const ppm = fc.bigInt({ min: 0n, max: 999_999n });
    fc.assert(
      fc.property(big, big, ppm, fc.constantFrom('on-top', 'deducted'), (amount, gas, feePpm, feeMode) => {
        const asked = { ...request, amount: units(amount), gas: units(gas) };
        const without = { ...rules, maxValue: null, maxDayValue: null };
        const opened = openPayout(
          asked,
          { ...without, feePpm, feeMode },
          { ...ledger, operable: units(10n ** 50n) },
          NOW,
        );
        const charge = (amount * feePpm) / 1_000_000n;
        if (!opened.ok) {
          expect(feeMode === 'deducted' && amount <= charge + gas).toBe(true);
          return;
        }
        const { receipt, serviceCharge, reserved } = opened.value.terms;
        expect(unitsOf(serviceCharge)).toBe(charge);
        expect(unitsOf(receipt) + charge + gas).toBe(unitsOf(reserved));
        expect(unitsOf(feeMode === 'on-top' ? receipt : reserved)).toBe(amount);
      }),
    );
  });
});

describe('a payout is refused', () => {
  // hits mark: payout-within-the-balance
  // hits mark: payouts-within-the-ceiling
  it.each([
    [
      'one unit short',
      {},
      { operable: units(10_252_999n) },
      'balance-short',
      'amount',
      'the operable balance of 10.252999 USDT does not cover 10.253 USDT',
    ],
    [
      'above the limit',
      { maxValue: 9_999_999n },
      {},
      'payout-limit',
      'amount',
      'amount is worth more than the limit of 9.999999 USD for one payout',
    ],
    [
      'above the limit of a day',
      { maxDayValue: 11_000_000n },
      { dayValue: 1_000_001n },
      'payout-limit',
      'amount',
      'amount takes the payouts of 24 hours over the limit of 11 USD',
    ],
    [
      'above what the merchant may, whatever the app may',
      { maxValue: null, ceiling: { ...NO_CEILING, maxValue: 9_999_999n } },
      {},
      'payout-limit',
      'amount',
      'amount is worth more than the limit of 9.999999 USD for one payout that the operator set for the merchant',
    ],
    [
      'above what all apps of the merchant may in a day',
      { maxDayValue: null, ceiling: { ...NO_CEILING, maxDayValue: 11_000_000n } },
      { merchantDayValue: 1_000_001n },
      'payout-limit',
      'amount',
      'amount takes the payouts of 24 hours of all apps over the limit of 11 USD that the operator set for the merchant',
    ],
    [
      'to an address off the list',
      { isAddressListOn: true },
      {},
      'field-invalid',
      'to_address',
      'to_address is not on the address list of the app',
    ],
    [
      'to a cooling address',
      { isAddressListOn: true },
      { listedAt: NOW - 86_399 },
      'field-invalid',
      'to_address',
      'to_address is new on the address list: it can be used in 1 s',
    ],
    [
      'where fees eat it up',
      { feeMode: 'deducted', feePpm: 999_999n },
      {},
      'field-invalid',
      'amount',
      'amount must be more than its cost of 10.24999 USDT',
    ],
  ] as const)('%s', (_what, changedRules, changedLedger, code, field, message) => {
    const opened = openPayout(request, { ...rules, ...changedRules }, { ...ledger, ...changedLedger }, NOW);
    expect(opened).toEqual({ ok: false, refusal: { code, field, message } });
  });

  it('where it costs more than was shown', () => {
    const shown = (most: bigint) => ({ mostCost: units(most), feeMode: 'on-top' }) as const;
    expect(openPayout({ ...request, shown: shown(253_000n) }, rules, ledger, NOW).ok).toBe(true);
    expect(openPayout({ ...request, shown: shown(252_999n) }, rules, ledger, NOW)).toMatchObject({
      refusal: { code: 'payout-conflict', message: 'the network fee rose meanwhile: look at the new cost' },
    });
  });

  it.each([
    ['at the limit', { maxValue: 10_000_000n }, {}],
    ['at the limit of a day', { maxDayValue: 11_000_000n }, { dayValue: 1_000_000n }],
    [
      'at both limits of the merchant',
      { ceiling: { maxValue: 10_000_000n, maxDayValue: 11_000_000n } },
      { dayValue: 2_000_000n, merchantDayValue: 1_000_000n },
    ],
    ['where a day has no limit', { maxDayValue: null }, { dayValue: 10n ** 20n }],
    ['where one has no limit', { maxValue: null, maxDayValue: 10_000_000n }, {}],
    ['with the last unit', {}, { operable: units(10_253_000n) }],
    ['to an address that has cooled', { isAddressListOn: true }, { listedAt: NOW - 86_400 }],
  ] as const)('but not %s', (_what, changedRules, changedLedger) => {
    const opened = openPayout(request, { ...rules, ...changedRules }, { ...ledger, ...changedLedger }, NOW);
    expect(opened.ok).toBe(true);
  });

  it('where it has limits and no source has a price', () => {
    const unpriced = { ...request, value: null };
    const free = { ...rules, maxValue: null, maxDayValue: null };
    const limits = [
      { maxValue: 1n },
      { maxDayValue: 1n },
      { approvalAbove: 1n },
      { ceiling: { ...NO_CEILING, maxValue: 1n } },
      { ceiling: { ...NO_CEILING, maxDayValue: 1n } },
    ];
    for (const limit of limits)
      expect(openPayout(unpriced, { ...free, ...limit }, ledger, NOW)).toMatchObject({
        refusal: {
          code: 'rate-unavailable',
          field: 'amount',
          message: 'the app has limits, and no source has a price for this amount now',
        },
      });
    expect(openPayout(unpriced, free, ledger, NOW)).toMatchObject({ value: { needsApproval: false } });
  });

  it('for an amount that is none', () => {
    const messageOf = (text: string) => {
      const amount = payoutAmount(text, usdt);
      return amount.ok ? null : [amount.refusal.code, amount.refusal.field, amount.refusal.message];
    };
    const form = 'amount must be a plain decimal with at most 6 decimals, as USDT has';
    for (const text of ['1.0000001', '-1', '1e3', ''])
      expect(messageOf(text)).toEqual(['field-invalid', 'amount', form]);
    expect(messageOf('0')).toEqual(['field-invalid', 'amount', 'amount must be more than zero']);
    expect(payoutAmount('1.000001', usdt)).toEqual({ ok: true, value: units(1_000_001n) });
  });
});

it.each([
  ['less', 4n, 'on-top', null],
  ['as much', 5n, 'on-top', null],
  ['more', 6n, 'on-top', 'the network fee rose meanwhile: look at the new cost'],
  ['less, from another side', 4n, 'deducted', 'who bears the fees changed meanwhile: look at the new cost'],
] as const)('a payout that costs %s, beside what was shown', (_, cost, feeMode, why) => {
  const shown = { mostCost: units(5n), feeMode: 'on-top' } as const;
  expect(changeOf({ shown }, { cost: units(cost), feeMode })).toBe(why);
  expect(changeOf({}, { cost: units(cost), feeMode })).toBeNull();
});

it('above an amount a payout waits for a second person', () => {
  const needs = (approvalAbove: bigint) => {
    const opened = openPayout(request, { ...rules, approvalAbove }, ledger, NOW);
    return opened.ok && opened.value.needsApproval;
  };
  expect([needs(9_999_999n), needs(10_000_000n)]).toEqual([true, false]);
});
