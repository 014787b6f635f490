// Orders that timed out with money: which of them are paid too late and may be accepted, and which are short.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const mine = { merchant_id: 'mer_1' };

let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  // The balance that a refund's fee is taken from.
  await shop.orderPaid('1042', '25.5', 25_500_000n);
});
afterAll(() => shop?.close());

it('are late where what came and stays is enough, and wait for a person until it was sent back', async () => {
  const { tradeNo, address } = await shop.orderPlaced('slow', 1001, '20');
  const look = async () => {
    const { order } = await shop.ask('orders.read', { ...mine, trade_no: tradeNo });
    const { needs_you: needs } = await shop.ask('home.read', { ...mine, period: '24h' });
    const [row] = (await shop.ask('orders.list', { ...mine, is_late: true })).orders;
    return [order.is_paid_in_full, row?.is_paid_in_full, order.can_accept, needs.timed_out_with_money];
  };
  const pay = (units: bigint, txId: string) =>
    shop.bookFinal((block) => [transferTo(address, block, { units, txId })]);
  await pay(8_000_000n, '0xhalf');
  expect(await look()).toEqual([false, undefined, false, 0]);
  await shop.api.database.transact((tx) =>
    tx.write('UPDATE orders SET time_expire = create_time + 60 WHERE trade_no = $1', [tradeNo]),
  );
  shop.api.world.advance(120_000);
  await pay(1_000_000n, '0xlate');
  // It is short, and no late one.
  expect(await look()).toEqual([false, undefined, false, 0]);
  const acceptance = { ...mine, trade_no: tradeNo, reason: 'asked for' };
  expect(await shop.finance.call('orders.accept-late', acceptance)).toMatchObject({ status: 409 });

  await pay(11_000_000n, '0xrest');
  expect(await look()).toEqual([true, true, true, 1]);

  const { timeline } = await shop.ask('orders.read', { ...mine, trade_no: tradeNo });
  const late = timeline.flatMap((entry) =>
    entry.kind === 'transfer' && entry.tx_id === '0xrest' ? [entry] : [],
  );
  expect(late).toMatchObject([{ disposition: 'late', amount: '11', can_send_back: true }]);
  const { chain = '', tx_id: tx = '', position = '' } = late[0] ?? {};
  const back = { ...mine, chain, tx_id: tx, position, to_address: TO };
  const { least_keep: keep } = await shop.ask('receipts.quote-refund', back, shop.finance);
  await shop.ask('receipts.refund', { ...back, keep, reason: 'too late' }, shop.finance);
  expect(await look()).toEqual([true, true, false, 0]);
  const after = await shop.ask('orders.read', { ...mine, trade_no: tradeNo });
  const open = after.timeline.flatMap((entry) =>
    entry.kind === 'transfer' && entry.can_send_back ? [entry.tx_id] : [],
  );
  expect(open).toEqual(['0xlate']);
});

it('offers to send a receipt back only while the order has as much left', async () => {
  const { tradeNo, address } = await shop.orderPlaced('gone', 1001, '20');
  await shop.api.database.transact((tx) =>
    tx.write('UPDATE orders SET time_expire = create_time + 60 WHERE trade_no = $1', [tradeNo]),
  );
  shop.api.world.advance(120_000);
  await shop.bookFinal((block) => [
    transferTo(address, block, { units: 12_000_000n, txId: '0xlong' }),
    transferTo(address, block, { units: 3_000_000n, txId: '0xshort' }),
  ]);
  const offered = async () => {
    const { timeline } = await shop.ask('orders.read', { ...mine, trade_no: tradeNo });
    return timeline.flatMap((one) => (one.kind === 'transfer' && one.can_send_back ? [one.tx_id] : []));
  };
  expect(await offered()).toEqual(['0xlong', '0xshort']);
  const wish = { ...mine, app_id: shop.api.payment.appId, currency_id: 1001, amount: '5', to_address: TO };
  const terms = { most_cost: '100', fee_mode: 'on-top' } as const;
  const refund = { trade_no: tradeNo, reason: 'ticket 8' };
  await shop.ask('payouts.create', { ...wish, ...terms, refund }, shop.finance);
  // 10 of the 15 are left.
  expect(await offered()).toEqual(['0xshort']);
});

it('need nobody any more once the order itself was sent back', async () => {
  const { tradeNo, address } = await shop.orderPlaced('back', 1001, '20');
  await shop.api.database.transact((tx) =>
    tx.write(
      'UPDATE orders SET create_time = create_time - 120, time_expire = create_time - 60 WHERE trade_no = $1',
      [tradeNo],
    ),
  );
  await shop.bookFinal((block) => [transferTo(address, block, { units: 20_000_000n, txId: '0xback' })]);
  const look = async () => {
    const { order } = await shop.ask('orders.read', { ...mine, trade_no: tradeNo });
    const { needs_you: needs } = await shop.ask('home.read', { ...mine, period: '24h' });
    return [order.can_accept, needs.timed_out_with_money];
  };
  expect(await look()).toEqual([true, 1]);
  const wish = { ...mine, app_id: shop.api.payment.appId, currency_id: 1001, amount: '20', to_address: TO };
  const terms = { most_cost: '100', fee_mode: 'on-top' } as const;
  const refund = { trade_no: tradeNo, reason: 'ticket 9' };
  await shop.ask('payouts.create', { ...wish, ...terms, refund }, shop.finance);
  expect(await look()).toEqual([false, 0]);
});
