// Shows that the comparison finds each kind of damage that is planted into an intact run.
import { expect, it } from 'vitest';
import { comparePayouts, type PayoutReadings } from './compare-payouts.ts';

const to = `0x${'5'.repeat(40)}`;
const wallet = `0x${'7'.repeat(40)}`;
const hash = `0x${'ab'.repeat(32)}`;
const fields = {
  appid: 'app_1',
  type: 'TRANSFER',
  status: 'PAID',
  chain: 'ETH',
  currency_id: 1001,
  trade_no: 'pay_1',
  token_amount: '2.5',
  txid: hash,
};
const asked = { appId: 'app_1', key: 'one', chain: 'ETH', currencyId: 1001, decimals: 6, to };
const transfer = { chain: 'ETH', hash, to, currencyId: 1001, units: 2_500_000n };
const row = {
  trade_no: 'pay_1',
  app_id: 'app_1',
  idempotency_key: 'one',
  chain: 'ETH',
  currency_id: 1001,
  to_address: to,
  amount: '2500000',
  receipt: '2500000',
  status: 'PAID',
  end_tx_id: hash,
};
const event = { event_id: 'evt_1', trade_no: 'pay_1', status: 'PAID', body: JSON.stringify(fields) };

/** One payout, paid once, with one webhook, and a collection into a wallet of ours. */
const whole: PayoutReadings = {
  asked: [{ ...asked, units: 2_500_000n, receipt: 2_500_000n, tradeNo: 'pay_1', isRefused: false }],
  payouts: [row],
  events: [event],
  sent: {
    transactions: [{ chain: 'ETH', hash, succeeded: true }],
    transfers: [transfer, { ...transfer, to: wallet }],
  },
  ours: new Set([wallet]),
  signed: new Set(['ab'.repeat(32)]),
};

const paid = (...transfers: PayoutReadings['sent']['transfers']) => ({ sent: { ...whole.sent, transfers } });

const damages: Readonly<Record<string, readonly [fault: string, readings: Partial<PayoutReadings>]>> = {
  'a payout that was paid twice': ['doubled', paid(transfer, transfer)],
  'a payout that is PAID and was not paid': ['lost', paid()],
  'another amount': ['wrong', paid({ ...transfer, units: 2_499_999n })],
  'another currency': ['wrong', paid({ ...transfer, currencyId: 1002 })],
  'a transfer to a stranger': ['invented', paid(transfer, { ...transfer, to: `0x${'9'.repeat(40)}` })],
  'a payout that failed and was paid': ['doubled', { payouts: [{ ...row, status: 'FAIL' }] }],
  'a FAIL without a proof': ['wrong', { payouts: [{ ...row, status: 'FAIL' }], ...paid() }],
  'a payout that never ends': ['lost', { payouts: [{ ...row, status: 'PROGRESS' }], ...paid() }],
  'an acknowledged payout that is gone': ['lost', { payouts: [], events: [], ...paid() }],
  'two payouts of one key': ['doubled', { payouts: [row, { ...row, trade_no: 'pay_2' }] }],
  'a payout that no merchant asked for': ['invented', { asked: [] }],
  'two webhooks': ['doubled', { events: [event, event] }],
  'no webhook': ['lost', { events: [] }],
  'a webhook with another transaction': [
    'wrong',
    { events: [{ ...event, body: JSON.stringify({ ...fields, txid: '0x01' }) }] },
  ],
  "a transaction that is not in the signer's log": ['invented', { signed: new Set() }],
};

it('finds nothing in a run that is whole', () => {
  expect(comparePayouts(whole)).toEqual([]);
});

it.each(Object.entries(damages))('finds %s', (_, [fault, damage]) => {
  expect(comparePayouts({ ...whole, ...damage }).map((finding) => finding.fault)).toContain(fault);
});
