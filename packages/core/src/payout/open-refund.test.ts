// What goes back of a receipt, out of which account, and every reason why it does not.
import { describe, expect, it } from 'vitest';
import { creditBound } from '../chain/currency.ts';
import { eth } from '../chain/definitions/eth.ts';
import { add, amountOf } from '../money/amount.ts';
import { openRefund, type RefundableReceipt, type RefundBounds } from './open-refund.ts';
import { NO_CEILING, type PayoutRules } from './open-payout.ts';

const usdt = eth.currencies.find(({ currencyId }) => currencyId === 1001)!;
const units = (count: bigint) => amountOf(usdt.currencyId, count);
const NOW = 1_763_626_800;
const receipt: RefundableReceipt = {
  transfer: { amount: units(1_000n) },
  appId: 'app_1',
  disposition: 'unassigned',
  isRefunded: false,
  isAccepted: false,
  leftOfOrder: null,
};
const request = { currency: usdt, gas: units(40n), value: 1_000n };
const rules: PayoutRules = {
  feePpm: 300n,
  feeMode: 'on-top',
  maxValue: null,
  maxDayValue: null,
  approvalAbove: null,
  isAddressListOn: false,
  ceiling: NO_CEILING,
  coolingS: 60,
};
const bounds: RefundBounds = {
  rules,
  ledger: { dayValue: 0n, merchantDayValue: 0n, listedAt: null },
  leastGas: units(40n),
  now: NOW,
};
const late: RefundableReceipt = { ...receipt, disposition: 'late' };

interface Change {
  readonly receipt?: Partial<RefundableReceipt>;
  readonly request?: Partial<typeof request>;
  readonly operable?: bigint;
  readonly bounds?: RefundBounds | null;
}

const open = (change: Change, from = receipt) =>
  openRefund(
    { ...from, ...change.receipt },
    { ...request, ...change.request },
    rules,
    units(change.operable ?? 0n),
    change.bounds === undefined ? bounds : change.bounds,
  );

describe('a refund', () => {
  it('is a payout of all of the receipt, less the network fee', () => {
    expect(open({})).toEqual({
      outcome: 'opened',
      appId: 'app_1',
      terms: {
        amount: units(1_000n),
        serviceCharge: units(0n),
        gas: units(40n),
        receipt: units(960n),
        reserved: units(1_000n),
      },
      source: 'unassigned',
      needsApproval: false,
    });
  });

  it.each(['late', 'extra'] as const)('of %s money comes from what the app may dispose of', (disposition) => {
    const change = { receipt: { disposition } };
    expect(open({ ...change, operable: 1_000n })).toMatchObject({ outcome: 'opened', source: 'available' });
    expect(open({ ...change, operable: 999n })).toEqual({ outcome: 'balance-short' });
  });

  it.each<readonly [string, Change, string]>([
    ['belongs to the gateway', { receipt: { appId: null } }, 'no-app'],
    ['counts for an order', { receipt: { disposition: 'payment' } }, 'counts'],
    ['left us', { receipt: { disposition: 'sent' } }, 'counts'],
    ['was refunded', { receipt: { isRefunded: true } }, 'refunded'],
    [
      'went back with its order',
      { receipt: { disposition: 'extra', leftOfOrder: units(999n) }, operable: 1_000n },
      'order-sent-back',
    ],
    [
      'is left of its order',
      { receipt: { disposition: 'extra', leftOfOrder: units(1_000n) }, operable: 1_000n },
      'opened',
    ],
    ['cannot be', { receipt: { transfer: { amount: add(creditBound(usdt), units(1n)) } } }, 'absurd'],
    ['is as much as can be', { receipt: { transfer: { amount: creditBound(usdt) } } }, 'opened'],
    ['is eaten up by the fee', { request: { gas: units(1_000n) } }, 'less-than-gas'],
    ['leaves one unit', { request: { gas: units(999n) } }, 'opened'],
    ['keeps less than its fee', { request: { gas: units(39n) } }, 'gas-short'],
    ['keeps less, for an operator', { request: { gas: units(39n) }, bounds: null }, 'opened'],
    ['was accepted, and is unassigned', { receipt: { isAccepted: true } }, 'opened'],
  ])('of what %s', (_, change, outcome) => {
    expect(open(change).outcome).toBe(outcome);
  });

  it('of late money that a person accepted is none', () => {
    expect(open({ receipt: { isAccepted: true }, operable: 1_000n }, late)).toEqual({ outcome: 'counts' });
  });

  it.each<readonly [string, Partial<PayoutRules>, string]>([
    ['an address off the list', { isAddressListOn: true }, 'field-invalid'],
    ['more than the limit', { maxValue: 999n }, 'payout-limit'],
    ['more than the limit of a day', { maxDayValue: 999n }, 'payout-limit'],
    ['more than the merchant may', { ceiling: { ...NO_CEILING, maxValue: 999n } }, 'payout-limit'],
  ])('is held to the rules of payouts: %s', (_, changed, code) => {
    const bound = { ...bounds, rules: { ...rules, ...changed } };
    expect(open({ bounds: bound })).toMatchObject({ outcome: 'refused', refusal: { code } });
    expect(open({ bounds: null }).outcome).toBe('opened');
  });

  it.each<readonly [bigint | null, bigint | null, boolean]>([
    [null, 1_000n, false],
    [null, null, false],
    [1_000n, 1_000n, false],
    [999n, 1_000n, true],
    [999n, null, true],
  ])('above %s units a value of %s waits for a second person: %s', (approvalAbove, value, needsApproval) => {
    const opened = openRefund(receipt, { ...request, value }, { approvalAbove }, units(0n), null);
    expect(opened).toMatchObject({ needsApproval });
  });
});
