// The body of a TRANSFER webhook is the contract's, field by field.
import { events } from '@ducat/contract/events/registry';
import { amountOf } from '@ducat/core/money/amount';
import Schema from 'typebox/schema';
import { expect, it } from 'vitest';
import { createTransferEventEncoder } from './encode-transfer-event.ts';

const { example } = events.TRANSFER;
const encode = createTransferEventEncoder(
  new Map([[1001, { decimals: 6, chainId: 1, contract: example.contract }]]),
);
const payout = { appId: example.appid, chain: 'ETH', currencyId: 1001, amount: amountOf(1001, 100_000_000n) };
const event = {
  type: 'TRANSFER',
  tradeNo: example.trade_no,
  status: 'PAID',
  txId: example.txid,
  time: example.time,
} as const;

it('writes the example of the contract to the byte', () => {
  expect(encode(event, payout)).toBe(JSON.stringify(example));
  expect(Schema.Check(events.TRANSFER.body, JSON.parse(encode({ ...event, status: 'FAIL' }, payout)))).toBe(
    true,
  );
});

it('asserts that it knows the currency', () => {
  expect(() => encode(event, { ...payout, currencyId: 9999 })).toThrow('is not configured');
});
