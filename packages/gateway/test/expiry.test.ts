// Orders and time: late money, no money, money in time that becomes final late; the chain's clock decides, not ours.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { DevChain } from '@ducat/testkit/system/dev-chains';
import { startSystem, type System } from '@ducat/testkit/system/system';

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
});
afterEach(async () => {
  expect(await system.books.troubles()).toEqual([]);
  expect(system.errors).toEqual([]);
});
afterAll(() => system?.close());

/** A time_out that is allowed by our clock and lies ahead of the chain's, which other tests have moved. */
async function soon(chain: DevChain): Promise<number> {
  return Math.max(Math.floor(Date.now() / 1000), await chain.headTime()) + 70;
}

async function mineAt(chain: DevChain, time: number): Promise<void> {
  await chain.node.setNextBlockTimestamp(time);
  await system.mine(chain);
}

describe('a payment in a block after time_expire', () => {
  it('times the order out once, is credited and counted, and brings no second final webhook', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '10', { time_out: await soon(eth) });
    await eth.payer().sendToken(eth.usdt, order.pay_address, 10_000_000n);
    await mineAt(eth, order.time_expire + 1);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 0 });
    await system.makeFinal(eth);

    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({
      status: 'TIME-OUT',
      amount_collected: '0',
      txid: '',
      time: order.time_expire,
    });
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TIME-OUT', amount_collected: '10' });
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '9.997', operable: '9.997' });

    await eth.payer().sendToken(eth.usdt, order.pay_address, 1_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TIME-OUT', amount_collected: '11' });
    expect((await system.books.transfers(shop.appId)).map(({ disposition }) => disposition)).toEqual([
      'late',
      'late',
    ]);
    expect((await system.events(order.trade_no)).map(({ status }) => status)).toEqual(['TIME-OUT']);
    expect(shop.webhooks(order.trade_no)).toHaveLength(1);
  });

  it('does not complete an order that was partly paid in time', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.coin, '2', { time_out: await soon(eth) });
    await eth.payer().sendNative(order.pay_address, 10n ** 18n);
    await mineAt(eth, order.time_expire - 1);
    await eth.payer().sendNative(order.pay_address, 10n ** 18n);
    await mineAt(eth, order.time_expire + 1);
    await system.makeFinal(eth);
    await shop.confirmed(order.trade_no, 2);
    expect((await system.events(order.trade_no)).map(({ body }) => outcomeOf(body))).toEqual([
      ['TO-BE-PAID', '1'],
      ['TIME-OUT', '1'],
    ]);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TIME-OUT', amount_collected: '2' });
  });
});

describe('a payment in the very second of time_expire', () => {
  it('is PAID, although it becomes final long after', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '10', { time_out: await soon(eth) });
    await eth.payer().sendToken(eth.usdt, order.pay_address, 10_000_000n);
    await mineAt(eth, order.time_expire);
    await mineAt(eth, order.time_expire + 600);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID' });
    await system.makeFinal(eth);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({ status: 'PAID', time: order.time_expire });
  });
});

describe('an order that nobody pays', () => {
  it('is TIME-OUT only once a block after time_expire is final', async () => {
    const { bsc } = system;
    const shop = await system.newShop();
    const order = await shop.order(bsc.ids.usdt, '10', { time_out: await soon(bsc) });
    await mineAt(bsc, order.time_expire + 1);
    await system.mine(bsc, 2);
    // A round of maintenance leaves the order open, because the last final block is before its expiry.
    const later = await shop.order(bsc.ids.usdt, '10', { time_out: order.time_expire + 600 });
    await maintenanceRound();
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID' });
    expect(await system.events(order.trade_no)).toEqual([]);

    await system.mine(bsc);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({
      status: 'TIME-OUT',
      amount_collected: '0',
      txid: '',
      time: order.time_expire,
      currency_id: 2001,
    });
    const detail = await shop.detail(order.trade_no);
    expect(detail).toMatchObject({ status: 'TIME-OUT', already_confirms: 0, entrust_url: '' });
    expect(['', '0']).toContain(detail.amount_collected);
    expect(await shop.detail(later.trade_no)).toMatchObject({ status: 'TO-BE-PAID' });
    expect(await system.events(later.trade_no)).toEqual([]);
  });
});

/** Waits for a round of maintenance, which fills a new app's address pool after it has looked for expired orders. */
async function maintenanceRound(): Promise<void> {
  const { appId } = await system.newShop();
  const free = 'SELECT count(*) AS free FROM addresses WHERE app_id = $1 AND family = $2';
  const isFilled = async () =>
    (await system.database.reader.read<{ free: number }>(free, [appId, 'evm']))[0]?.free;
  await expect.poll(isFilled, { timeout: 10_000 }).toBe(10);
}

function outcomeOf(body: string): readonly [string, string] {
  const { status, amount_collected } = JSON.parse(body);
  return [status, amount_collected];
}
