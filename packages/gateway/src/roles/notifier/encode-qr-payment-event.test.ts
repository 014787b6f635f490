// The body of a QR_PAYMENT webhook is the contract's, field by field.
import { events } from '@ducat/contract/events/registry';
import { amountOf } from '@ducat/core/money/amount';
import type { QrPaymentEvent } from '@ducat/core/webhook/qr-payment-event';
import { expect, it } from 'vitest';
import { evmAddressScheme } from '../../chains/evm/address.ts';
import { createQrPaymentEventEncoder } from './encode-qr-payment-event.ts';

const { example } = events.QR_PAYMENT;
const display = (address: string) => evmAddressScheme.display(address);
const encode = createQrPaymentEventEncoder(
  new Map([[1001, { decimals: 6, chainId: 1, contract: example.contract, display }]]),
);
const event: QrPaymentEvent = {
  type: 'QR_PAYMENT',
  tradeNo: example.trade_no,
  appId: example.appid,
  status: 'PAID',
  transfer: {
    chain: 'ETH',
    txId: example.txid,
    position: 'log:0',
    from: example.from_address.toLowerCase(),
    to: example.to_address.toLowerCase(),
    amount: amountOf(1001, 12_500_000n),
    block: { number: 1, hash: '0x1', time: example.time },
  },
};

it('writes the example of the contract to the byte', () => {
  expect(encode(event)).toBe(JSON.stringify(example));
});

it('asserts that it knows the currency', () => {
  const transfer = { ...event.transfer, amount: amountOf(9999, 1n) };
  expect(() => encode({ ...event, transfer })).toThrow('is not configured');
});
