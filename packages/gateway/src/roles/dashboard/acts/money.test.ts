// What a merchant's person does about money, each act by the words on the page: what the page says, and what the books say.
import { custodyOf, sentOf } from '@ducat/core/ledger/account';
import { entryOf } from '@ducat/core/ledger/entry';
import { amountOf, negate } from '@ducat/core/money/amount';
import { type Acting, startActing } from '@ducat/testkit/browser/acting';
import { callNamed } from '@ducat/testkit/api/paying-out';
import { plainWriting, transferTo } from '@ducat/testkit/fixtures';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { insertEntries } from '../../../db/tables/books/ledger.ts';
import { changeRules } from '../../../flows/payouts/change-rules.ts';
import { completePayout } from '../../../flows/payouts/complete-payout.ts';
import { startPayout } from '../../../flows/payouts/start-payout.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const ADA = 'ada@example.test';
const mine = { merchant_id: 'mer_1' };
const ETHER = amountOf(1000, 10n ** 16n);

let acting: Acting;
let paidOrder = '';
beforeAll(async () => {
  acting = await startActing(inject('postgresAdminUrl'), 'owner');
  paidOrder = await acting.shop.orderPaid('1042', '25.5', 25_500_000n);
  // What payouts of ether are paid from.
  const { address } = await acting.shop.orderPlaced('ether', 1000, '1');
  await acting.shop.bookFinal((block) => [
    transferTo(address, block, { amount: amountOf(1000, 10n ** 18n), txId: '0xether' }),
  ]);
});
afterAll(() => acting?.close());
afterEach(() => {
  expect(acting.person.complaints).toEqual([]);
  expect(acting.shop.api.bugs).toEqual([]);
});

const orderNow = async (tradeNo: string) =>
  (await acting.shop.ask('orders.read', { ...mine, trade_no: tradeNo })).order;
const payoutNow = (tradeNo: string) => acting.shop.ask('payouts.read', { ...mine, trade_no: tradeNo });
/** The last part of the address of the page. */
const numberShown = () => new URL(acting.person.url()).pathname.split('/').at(-1) ?? '';

async function usdtBalance() {
  const { balances } = await acting.shop.ask('balances.read', mine);
  return balances.find(({ currency_id: id }) => id === 1001);
}

/** Ether at the address of an order for USDT, which counts for none. */
async function stray(outTradeNo: string): Promise<void> {
  const { shop } = acting;
  const { address } = await shop.orderPlaced(outTradeNo, 1001, '2');
  await shop.bookFinal((block) => [
    transferTo(address, block, { amount: ETHER, txId: `0x${outTradeNo}`, from: `0x${'9c'.repeat(20)}` }),
  ]);
}

describe('an order that was paid too late', () => {
  it('is accepted as paid, for a reason that stays in its story', async () => {
    const { shop, person } = acting;
    const { tradeNo, address } = await shop.orderPlaced('slow', 1001, '20');
    await acting.write('UPDATE orders SET time_expire = create_time + 60 WHERE trade_no = $1', tradeNo);
    shop.api.world.advance(90_000);
    await shop.bookFinal((block) => [transferTo(address, block, { units: 20_000_000n, txId: '0xslow' })]);
    expect(await orderNow(tradeNo)).toMatchObject({ status: 'TIME-OUT', can_accept: true });
    await person.go(`/m/mer_1/orders/${tradeNo}`);
    await person.waitFor('Late');
    await person.press('Accept late payment');
    await person.heading('Accept this order as paid?');
    expect(await person.findings()).toEqual([]);
    await person.type('Why', 'the customer called');
    await person.confirm('Accept as paid');
    await person.waitFor('The order is paid now.');
    await person.waitFor(`Accepted as paid by ${ADA}`);
    expect(await person.shows('Accept late payment')).toBe(false);
    expect(await orderNow(tradeNo)).toMatchObject({ status: 'PAID', can_accept: false });
    expect(
      await acting.row('SELECT accepted_by, reason FROM order_acceptances WHERE trade_no = $1', tradeNo),
    ).toEqual({ accepted_by: ADA, reason: 'the customer called' });
    const paid = "SELECT status FROM events WHERE trade_no = $1 AND status = 'PAID'";
    expect(await acting.row(paid, tradeNo)).not.toBeNull();
  });
});

describe('money that counts for no order', () => {
  it('is assigned to one, which it pays', async () => {
    const { shop, person } = acting;
    const { tradeNo } = await shop.orderPlaced('wants-ether', 1000, '0.01');
    await stray('stray-one');
    await person.go('/m/mer_1/receipts');
    await person.row('0.01').click();
    await person.heading('Money that counts for no order');
    expect(await person.findings()).toEqual([]);
    await person.type('Our number of the order', tradeNo);
    await person.type('Why', 'it was meant for this one');
    await person.confirm('Assign');
    await person.waitFor('Assigned: it counts for the order.');
    await person.waitFor('Nothing is unassigned');
    expect(await orderNow(tradeNo)).toMatchObject({ status: 'PAID', collected: '0.01' });
    expect(
      await acting.row(
        'SELECT trade_no, assigned_by FROM receipt_assignments WHERE tx_id = $1',
        '0xstray-one',
      ),
    ).toEqual({ trade_no: tradeNo, assigned_by: ADA });
  });

  it('goes back, less what is kept of it, as a payout', async () => {
    const { shop, person } = acting;
    await stray('stray-two');
    await person.go('/m/mer_1/receipts');
    await person.row('0.01').click();
    await person.press('Send back');
    await person.type('To', TO);
    await person.press('Review');
    await person.type('Kept of it', '0.004');
    await person.type('Why', 'the wrong coin');
    await person.page.getByRole('dialog').locator('form').getByRole('button', { name: 'Send back' }).click();
    await person.waitFor('It goes back as a payout.');
    await person.page.waitForURL('**/payouts/pay_*');
    await person.heading('What happened');
    await person.waitFor(`Sent back by ${ADA}`);
    await person.waitFor('the wrong coin');
    const { payout, refund } = await payoutNow(numberShown());
    expect(refund).toEqual({ order_trade_no: null, by: ADA, reason: 'the wrong coin' });
    expect(payout).toMatchObject({ currency_id: 1000, receipt: '0.006', asked_by: { name: 'Ada Okafor' } });
    const kept = 'SELECT refunded_by, reason FROM receipt_refunds WHERE trade_no = $1';
    expect(await acting.row(kept, payout.trade_no)).toEqual({ refunded_by: ADA, reason: 'the wrong coin' });
    await person.go('/m/mer_1/receipts');
    await person.waitFor('Nothing is unassigned');
    expect(await shop.ask('receipts.list', mine)).toMatchObject({ receipts: [] });
  });
});

/** Its transaction was sent, and stands in a final block. */
async function arrive(tradeNo: string): Promise<void> {
  const { database, world } = acting.shop.api;
  const nowMs = world.nowMs();
  await acting.write('UPDATE payouts SET claimed = true WHERE trade_no = $1', tradeNo);
  const outcomes = await database.transact(async (tx) => {
    const started = await startPayout(tx, tradeNo, nowMs);
    const amount = amountOf(1001, 10_000_000n);
    const block = { number: 2_000, hash: '0x2000', parentHash: '0x1999', time: Math.floor(nowMs / 1_000) };
    const transfer = { chain: 'ETH', txId: '0xarrived', to: TO.toLowerCase(), amount, block };
    const left = [
      { account: custodyOf('ETH'), amount },
      { account: sentOf('ETH'), amount: negate(amount) },
    ];
    await insertEntries(tx, [entryOf('sent', 'ETH/0xarrived/log:0', left)], nowMs);
    return [started, await completePayout(tx, { ...plainWriting, tradeNo, transfer, nowMs })];
  });
  expect(outcomes).toEqual(['moved', 'moved']);
}

describe('a refund of a paid order', () => {
  it('is a payout that arrives, and both pages say so', async () => {
    const { person } = acting;
    await person.go(`/m/mer_1/orders/${paidOrder}`);
    await person.press('Refund');
    await person.type('Amount', '10');
    await person.type('To', TO);
    await person.type('Why', 'two tins came back');
    await person.press('Review payout');
    await person.pressMatching(/^Pay out 10/);
    await person.page.waitForURL('**/payouts/pay_*');
    await person.waitFor('Waiting');
    const tradeNo = numberShown();
    expect(await orderNow(paidOrder)).toMatchObject({ refundable: '15.5' });
    await arrive(tradeNo);
    // The page was not loaded anew.
    await person.page.getByRole('listitem').filter({ hasText: 'Paid out' }).first().waitFor();
    expect(await payoutNow(tradeNo)).toMatchObject({ payout: { status: 'PAID', tx_id: '0xarrived' } });
    await person.follow(paidOrder);
    const entry = person.page.getByRole('listitem').filter({ hasText: `Sent back by ${ADA}` });
    await entry.getByText('Paid out').waitFor();
    await entry.getByText('two tins came back').waitFor();
    expect(await orderNow(paidOrder)).toMatchObject({ status: 'PAID', refundable: '15.5' });
  });
});

describe('a payout that was not sent yet', () => {
  it('is cancelled, and its money is free again', async () => {
    const { person, shop } = acting;
    const before = await usdtBalance();
    const wish = { ...mine, app_id: shop.api.payment.appId, currency_id: 1001, amount: '3', to_address: TO };
    const shown = { request_id: 'click-0000000000001', most_cost: '20', fee_mode: 'on-top' } as const;
    const { payout } = await shop.ask('payouts.create', { ...wish, ...shown });
    expect(await usdtBalance()).not.toEqual(before);
    await person.go(`/m/mer_1/payouts/${payout.trade_no}`);
    await person.press('Cancel payout');
    await person.heading('Cancel this payout?');
    await person.type('Why', 'asked for twice');
    await person.confirm('Cancel payout');
    await person.waitFor('Cancelled. The money is free again.');
    await person.waitFor('Cancelled, the balance is free again');
    await person.waitFor('asked for twice');
    expect(await person.page.getByRole('button', { name: 'Cancel payout' }).count()).toBe(0);
    expect((await payoutNow(payout.trade_no)).payout).toMatchObject({ status: 'CANCEL', can_cancel: false });
    expect(await usdtBalance()).toEqual(before);
  });

  it('is declined by the second person who was asked', async () => {
    const { person, shop } = acting;
    const { database, payment } = shop.api;
    await database.transact((tx) => changeRules(tx, payment.appId, { approvalAbove: 1_000_000n }));
    const before = await usdtBalance();
    const asked = { currency_id: 1001, amount: '4', to_address: TO };
    const tradeNo = String((await callNamed(shop.api, 'for-approval', asked)).data['trade_no']);
    await person.go(`/m/mer_1/payouts/${tradeNo}`);
    await person.waitFor('To approve');
    await person.press('Approve');
    await person.confirm('Decline');
    await person.type('Why', 'nobody knows this supplier');
    await person.confirm('Decline');
    await person.waitFor('Declined. The money is free again.');
    await person.waitFor(`Declined by ${ADA}, and the balance is free again`);
    expect((await payoutNow(tradeNo)).payout).toMatchObject({ status: 'CANCEL', can_cancel: false });
    expect(await usdtBalance()).toEqual(before);
  });
});
