// What counts for a QR code, each transfer for itself, and what its default amount may be.
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { eth } from '../chain/definitions/eth.ts';
import type { Transfer } from '../chain/transfer.ts';
import type { OwnAddress } from '../ledger/account.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import { type DueTransfer, settleAll } from '../order/settle-all.ts';
import { CLOCK_TOLERANCE_S } from '../order/transition.ts';
import { defaultAmount, type QrCode } from './qr-code.ts';

const USDT = 1001;
const CREATED = 10_000;
const address: OwnAddress = { address: '0xcode', purpose: 'static', appId: 'app_1' };
const code: QrCode = {
  qrCodeId: 7,
  appId: 'app_1',
  currencyId: USDT,
  createTime: CREATED,
  disabledTime: null,
};

let place = 0;
function due(
  units: bigint,
  change: Partial<Transfer> & { readonly time?: number } = {},
  sides: Partial<DueTransfer> = {},
): DueTransfer {
  const { time = CREATED + 5, ...rest } = change;
  const transfer: Transfer = {
    chain: 'ETH',
    txId: '0xaa',
    position: `log:${++place}`,
    from: '0xpayer',
    to: '0xcode',
    amount: amountOf(USDT, units),
    block: { number: time, hash: `0x${time}`, time },
    ...rest,
  };
  return {
    transfer,
    from: null,
    to: address,
    feePpm: 300n,
    tradeNo: null,
    promised: null,
    qrCode: code,
    ...sides,
  };
}

function settle(...all: readonly DueTransfer[]) {
  const settled = settleAll(all, new Map(), { currencies: eth.currencies, searchedTime: null });
  return {
    kinds: settled.dispositions.map(({ disposition }) => disposition),
    facts: settled.entries.map(({ fact }) => fact),
    paid: settled.qrPayments.map(({ transfer, disposition }) => [unitsOf(transfer.amount), disposition]),
    unassigned: settled.unassigned.map(({ appId }) => appId),
    absurd: settled.absurd.length,
    events: settled.events.length,
  };
}

const unassigned = { kinds: ['unassigned'], facts: ['unassigned-receipt'], paid: [], unassigned: ['app_1'] };

describe('a transfer to the address of a QR code', () => {
  it('is a payment of its own, also beside another of the same transaction, and whatever its amount', () => {
    expect(settle(due(1n), due(2_000_000n), due(3n, { txId: '0xbb' }))).toEqual({
      kinds: ['payment', 'payment', 'payment'],
      facts: ['deposit', 'deposit', 'deposit'],
      paid: [
        [1n, 'payment'],
        [2_000_000n, 'payment'],
        [3n, 'payment'],
      ],
      unassigned: [],
      absurd: 0,
      events: 0,
    });
  });

  // hits mark: qr-code-counts-its-own-currency
  it.each<readonly [string, Parameters<typeof due>[1]]>([
    ['in another currency', { amount: amountOf(1002, 5n) }],
    ['of a block before the code', { time: CREATED - CLOCK_TOLERANCE_S - 1 }],
    ['that only a balance shows', { from: '', txId: 'balance:0x1' }],
  ])('is an unassigned receipt %s', (_, change) => {
    expect(settle(due(5n, change))).toMatchObject(unassigned);
  });

  it('is late in a block younger than the end of the code, and the merchant gets it all the same', () => {
    const ended = { qrCode: { ...code, disabledTime: CREATED + 5 } };
    expect(settle(due(5n, {}, ended), due(6n, { time: CREATED + 6 }, ended))).toMatchObject({
      kinds: ['payment', 'late'],
      facts: ['deposit', 'deposit'],
      paid: [
        [5n, 'payment'],
        [6n, 'late'],
      ],
    });
  });

  it('is no payment from an address of ours', () => {
    const wallet: OwnAddress = { address: '0xwallet', purpose: 'wallet', appId: null };
    expect(settle(due(5n, {}, { from: wallet }))).toMatchObject({
      kinds: ['own'],
      facts: ['move'],
      paid: [],
    });
  });

  it.each([
    ['at once', [10n ** 22n + 1n]],
    ['in parts', [10n ** 22n, 1n]],
  ])('pays nothing with more than its currency moves, %s', (_, units) => {
    expect(settle(...units.map((each) => due(each)))).toMatchObject({
      kinds: units.map(() => 'unassigned'),
      paid: [],
      absurd: units.length,
    });
  });

  it('never pays the code of another app', () => {
    expect(() => settle(due(1n, {}, { to: { ...address, appId: 'app_2' } }))).toThrow(Bug);
  });
});

describe('a default amount', () => {
  const usdt = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;

  it.each([
    [undefined, 0n],
    ['0', 0n],
    ['0.000000', 0n],
    ['12.5', 12_500_000n],
    [`1${'0'.repeat(16)}`, 10n ** 22n],
  ])('reads %s', (text, units) => {
    expect(defaultAmount(text, usdt)).toEqual({ ok: true, value: amountOf(USDT, units) });
  });

  const form = 'amount must be a plain decimal with at most 6 decimals, as USDT has';
  const tooMuch = 'amount is more than USDT is believed to move';
  it.each([
    ['0.0000001', form],
    ['-1', form],
    ['', form],
    ['1e3', form],
    [`1${'0'.repeat(16)}.000001`, tooMuch],
    [`1${'0'.repeat(17)}`, tooMuch],
  ])('refuses %s', (text, message) => {
    const refusal = { code: 'field-invalid', field: 'amount', message };
    expect(defaultAmount(text, usdt)).toEqual({ ok: false, refusal });
  });
});
