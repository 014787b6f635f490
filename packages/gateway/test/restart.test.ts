// The gateway stops and starts in the middle of payments, and receivers are away: everything happens once all the same.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { listAttempts } from '../src/db/tables/deliveries/event-lists.ts';
import type { Shop, ShopOrder, ShopWebhook } from '@ducat/testkit/system/shop';
import { startSystem, type System } from '@ducat/testkit/system/system';

let system: System;
let shop: Shop;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
});
beforeEach(async () => {
  shop = await system.newShop();
});
afterEach(async () => {
  expect(await system.books.troubles()).toEqual([]);
  expect(system.errors).toEqual([]);
});
afterAll(() => system?.close());

function pay(order: ShopOrder, units = 10_000_000n): Promise<`0x${string}`> {
  return system.eth.payer().sendToken(system.eth.usdt, order.pay_address, units);
}

/** PAID once: one event, one confirmed webhook, one booking. */
async function expectPaidOnce(order: ShopOrder): Promise<ShopWebhook> {
  const webhooks = await shop.confirmed(order.trade_no, 1);
  expect(webhooks.map(({ body }) => [body.status, body.amount_collected])).toEqual([['PAID', '10']]);
  expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'PAID', amount_collected: '10' });
  await expect
    .poll(async () => (await system.events(order.trade_no)).map(({ state }) => state))
    .toEqual(['delivered']);
  expect(await shop.balance(system.eth.ids.usdt)).toEqual({ total: '9.997', operable: '9.997' });
  return webhooks[0]!;
}

/** How the attempts for the order's only event ended so far; none while one is under way. */
async function attemptsOf(order: ShopOrder): Promise<readonly string[]> {
  const [event] = await system.events(order.trade_no);
  if (event === undefined || event.underWay) return [];
  const attempts = await listAttempts(system.database.reader, event.eventId);
  return attempts.map(({ outcome, httpStatus }) => `${outcome} ${httpStatus}`).toReversed();
}

describe('a restart', () => {
  it('before the block of the payment', async () => {
    const order = await shop.order(system.eth.ids.usdt, '10');
    await pay(order);
    await system.stop();
    await system.mine(system.eth);
    await system.start();
    expect(await shop.detail(order.trade_no)).toMatchObject({ already_confirms: 1 });
    await system.makeFinal(system.eth);
    await expectPaidOnce(order);
  });

  it('after the block and before it is final', async () => {
    const order = await shop.order(system.eth.ids.usdt, '10');
    await pay(order);
    await system.mine(system.eth, 2);
    expect(await shop.detail(order.trade_no)).toMatchObject({ already_confirms: 2 });
    await system.stop();
    await system.start();
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 2 });
    await system.mine(system.eth, 2);
    await expectPaidOnce(order);
  });

  it('while the chain becomes final', async () => {
    const order = await shop.order(system.eth.ids.usdt, '10');
    await pay(order);
    await system.mine(system.eth);
    await system.stop();
    await system.mine(system.eth, 3);
    await system.start();
    await expectPaidOnce(order);
  });

  it('while the chain forks under the payment', async () => {
    const order = await shop.order(system.eth.ids.usdt, '10');
    const hash = await pay(order);
    await system.mine(system.eth, 3);
    const raw = String(await system.eth.node.rpc('eth_getRawTransactionByHash', [hash]));
    await system.stop();
    await system.eth.reorg(3, [{ rawTransaction: `0x${raw.slice(2)}`, blockOffset: 2 }]);
    await system.mine(system.eth, 2);
    await system.start();
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 3 });
    await system.mine(system.eth);
    await expectPaidOnce(order);
  });

  it('after it is final and before the webhook is accepted: the same event with the same bytes', async () => {
    const order = await shop.order(system.eth.ids.usdt, '10');
    shop.failNext(500);
    await pay(order);
    await system.mine(system.eth);
    await system.makeFinal(system.eth);
    await expect.poll(() => attemptsOf(order), { timeout: 10_000 }).toEqual(['http-status 500']);
    await system.stop();
    expect(await system.hurryWebhooks(order.trade_no)).toEqual([5]);
    await system.start();
    const accepted = await expectPaidOnce(order);
    const [refused, ...others] = shop.webhooks(order.trade_no);
    expect(others).toHaveLength(1);
    expect(refused).toEqual({ ...accepted, answered: 500 });
  });

  it('before the webhook was sent at all', async () => {
    const order = await shop.order(system.eth.ids.usdt, '10');
    await pay(order);
    await system.mine(system.eth);
    await system.stop();
    // Only the watcher of the next start can make the payment final. That start is stopped as soon as it has.
    await system.mine(system.eth, 3);
    await system.start();
    await system.stop();
    await system.start();
    await expectPaidOnce(order);
    expect(shop.webhooks(order.trade_no)).toHaveLength(1);
  });
});

describe('two gateways side by side on one database', () => {
  it('book and report each payment once, forks included, and one may leave at any time', async () => {
    const another = await system.startAnother();
    const orders: ShopOrder[] = [];
    for (let place = 0; place < 10; place++) orders.push(await shop.order(system.eth.ids.usdt, '10'));
    const hashes = [];
    for (const order of orders.slice(0, 5)) hashes.push(await pay(order));
    await system.mine(system.eth, 3);
    const raws = [];
    for (const hash of hashes) {
      raws.push(String(await system.eth.node.rpc('eth_getRawTransactionByHash', [hash])));
    }
    const again = raws.map((raw, place) => ({
      rawTransaction: `0x${raw.slice(2)}` as const,
      blockOffset: Math.floor(place / 2),
    }));
    await system.eth.reorg(3, again);
    for (const order of orders.slice(5)) {
      await pay(order);
      await system.eth.node.mine();
    }
    await another.stop();
    await system.makeFinal(system.eth);
    for (const { trade_no } of orders) {
      const webhooks = await shop.confirmed(trade_no, 1);
      expect(webhooks.map(({ body }) => [body.status, body.amount_collected])).toEqual([['PAID', '10']]);
      expect(await system.events(trade_no)).toHaveLength(1);
    }
    expect(await shop.balance(system.eth.ids.usdt)).toEqual({ total: '99.97', operable: '99.97' });
  });
});

describe('a receiver that is down for two attempts', () => {
  it('gets the event with the third, by the intervals of the retry schedule, each attempt signed afresh', async () => {
    const order = await shop.order(system.eth.ids.usdt, '10');
    shop.failNext(503, 500);
    await pay(order);
    await system.mine(system.eth);
    await system.makeFinal(system.eth);
    await expect.poll(() => attemptsOf(order), { timeout: 10_000 }).toEqual(['http-status 503']);
    expect(await system.hurryWebhooks(order.trade_no)).toEqual([5]);
    // The outcome of an attempt is written at the end of its lease, later than the attempt's row.
    const both = ['http-status 503', 'http-status 500'];
    await expect.poll(() => attemptsOf(order), { timeout: 10_000 }).toEqual(both);
    expect(await system.hurryWebhooks(order.trade_no)).toEqual([15]);
    const accepted = await expectPaidOnce(order);
    const attempts = shop.webhooks(order.trade_no);
    expect(attempts).toEqual([503, 500, 200].map((answered) => ({ ...accepted, answered })));
    expect(await attemptsOf(order)).toEqual(['http-status 503', 'http-status 500', 'delivered 200']);
  });
});

describe('a downtime of sixty blocks', () => {
  it('is caught up in order: what came in it is paid, in parts, late or timed out by the times of the chain', async () => {
    const { eth } = system;
    const soon = Math.max(Math.floor(Date.now() / 1000), await eth.headTime()) + 70;
    const first = await shop.order(eth.ids.usdt, '10');
    const inParts = await shop.order(eth.ids.usdt, '10');
    const inTime = await shop.order(eth.ids.usdt, '10', { time_out: soon });
    const tooLate = await shop.order(eth.ids.usdt, '10', { time_out: soon });
    const never = await shop.order(eth.ids.usdt, '10', { time_out: soon });
    const atTheEnd = await shop.order(eth.ids.usdt, '10');
    await system.stop();

    await pay(first);
    await eth.node.mine();
    await pay(inParts, 4_000_000n);
    await eth.node.mine(19);
    await pay(inTime);
    await eth.node.setNextBlockTimestamp(soon);
    await eth.node.mine();
    await pay(tooLate);
    await pay(inParts, 6_000_000n);
    await eth.node.setNextBlockTimestamp(soon + 1);
    await eth.node.mine(38);
    await pay(atTheEnd);
    await eth.node.mine();
    await system.start();

    const outcomes = async (order: ShopOrder) =>
      (await system.events(order.trade_no)).map(({ status, body }) => [
        status,
        JSON.parse(body).amount_collected,
      ]);
    await expect.poll(() => outcomes(never), { timeout: 10_000 }).toEqual([['TIME-OUT', '0']]);
    expect(await outcomes(first)).toEqual([['PAID', '10']]);
    expect(await outcomes(inParts)).toEqual([
      ['TO-BE-PAID', '4'],
      ['PAID', '10'],
    ]);
    expect(await outcomes(inTime)).toEqual([['PAID', '10']]);
    expect(await outcomes(tooLate)).toEqual([['TIME-OUT', '0']]);
    expect(await shop.detail(tooLate.trade_no)).toMatchObject({ amount_collected: '10' });
    expect(await shop.detail(atTheEnd.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 1 });
    await system.makeFinal(eth);
    await shop.confirmed(atTheEnd.trade_no, 1);
    for (const order of [first, inTime, tooLate, never]) {
      expect(await shop.confirmed(order.trade_no, 1)).toHaveLength(1);
    }
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '49.985', operable: '49.985' });
  });
});
