// Money that is not what it should be: wrong token, wrong chain, no order, and everything that only looks like money.
import { type Call, callOf } from '@ducat/devnet/contracts/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Address } from '@ducat/testkit/system/dev-chains';
import type { Shop, ShopOrder } from '@ducat/testkit/system/shop';
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

const ether = 10n ** 18n;

/** The order is as it was made: nothing counted, nothing reported. */
async function expectUntouched(shop: Shop, order: ShopOrder): Promise<void> {
  const detail = await shop.detail(order.trade_no);
  expect(detail).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '0', already_confirms: 0 });
  expect(await system.events(order.trade_no)).toEqual([]);
}

describe('an unassigned receipt', () => {
  it('of the wrong token is kept in its true currency, without a fee, and the order stays as it was', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '10');
    await eth.payer().sendToken(eth.usdc, order.pay_address, 10_000_000n);
    await eth.payer().sendNative(order.pay_address, ether);
    await system.mine(eth);
    await system.makeFinal(eth);
    await expectUntouched(shop, order);
    expect(await system.books.transfers(shop.appId)).toMatchObject([
      { currencyId: 1002, units: '10000000', disposition: 'unassigned', tradeNo: order.trade_no },
      { currencyId: 1000, units: String(ether), disposition: 'unassigned', tradeNo: order.trade_no },
    ]);
    expect(await system.books.postings(shop.appId)).toEqual([
      { fact: 'unassigned-receipt', kind: 'unassigned', currencyId: 1002, units: '10000000' },
      { fact: 'unassigned-receipt', kind: 'unassigned', currencyId: 1000, units: String(ether) },
    ]);
    expect(await shop.balance(eth.ids.usdc)).toEqual({ total: '10', operable: '0' });
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '0', operable: '0' });

    // The right money still pays it.
    await eth.payer().sendToken(eth.usdt, order.pay_address, 10_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({ status: 'PAID', amount_collected: '10' });
  });

  it('on the wrong chain is kept in the currency of that chain', async () => {
    const { eth, bsc } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '10');
    await bsc.payer().sendToken(bsc.usdt, order.pay_address, 10n * ether);
    await bsc.payer().sendNative(order.pay_address, ether);
    await system.mine(bsc);
    await system.makeFinal(bsc);
    await system.mine(eth, 5);
    await expectUntouched(shop, order);
    expect(await system.books.transfers(shop.appId)).toMatchObject([
      { chain: 'BSC', currencyId: 2001, disposition: 'unassigned' },
      { chain: 'BSC', currencyId: 2000, disposition: 'unassigned' },
    ]);
    expect(await shop.balance(bsc.ids.usdt)).toEqual({ total: '10', operable: '0' });
    expect(await shop.balance(bsc.ids.coin)).toEqual({ total: '1', operable: '0' });
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '0', operable: '0' });
  });

  it('at an address that waits in the pool belongs to the app, and to no order', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const first = await shop.order(eth.ids.usdt, '1');
    const free =
      'SELECT address FROM addresses WHERE app_id = $1 AND trade_no IS NULL ORDER BY address_id LIMIT 1';
    const rows = await system.database.reader.read<{ address: Address }>(free, [shop.appId]);
    await eth.payer().sendToken(eth.usdt, rows[0]!.address, 5_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    await expectUntouched(shop, first);
    expect(await system.books.transfers(shop.appId)).toMatchObject([
      { disposition: 'unassigned', tradeNo: null },
    ]);
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '5', operable: '0' });
  });
});

describe('a token that takes a fee', () => {
  it('counts what arrived, not what was sent', async () => {
    const { eth } = system;
    const shop = await system.newShop({ depositFeePpm: 0 });
    const order = await shop.order(eth.ids.fee, '100');
    await eth.payer().sendToken(eth.feeToken, order.pay_address, 100_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '99' });
    await eth.payer().sendToken(eth.feeToken, order.pay_address, 2_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    const webhooks = await shop.confirmed(order.trade_no, 2);
    expect(webhooks[1]!.body).toMatchObject({ status: 'PAID', amount_collected: '100.98' });
    expect(await shop.balance(eth.ids.fee)).toEqual({ total: '100.98', operable: '100.98' });
  });
});

describe('value that moves inside a transaction', () => {
  it('pays when a contract forwards it, when a contract is born, and when one destroys itself', async () => {
    const { eth } = system;
    const payer = eth.payer();
    const shop = await system.newShop({ depositFeePpm: 0 });
    const order = await shop.order(eth.ids.coin, '4');
    const bomb = await payer.deploy('bomb', [], ether);
    const creator = await payer.deploy('creator', []);
    await system.mine(eth);

    const hashes = [
      await payer.send(callOf('forwarder', eth.forwarder, 'forward', [order.pay_address], ether)),
      await payer.send(callOf('bomb', bomb.address, 'destroy', [order.pay_address])),
      (await payer.deploy('constructorPayer', [order.pay_address], ether)).hash,
      await payer.send(callOf('creator', creator.address, 'createAndDestroy', [order.pay_address], ether)),
    ];
    await system.mine(eth);
    await system.makeFinal(eth);
    // All four become final at once, and then the final event does not wait for the others.
    const webhooks = await shop.confirmed(order.trade_no, 4);
    const partly = webhooks.filter(({ body }) => body.status === 'TO-BE-PAID');
    expect(partly.map(({ body }) => [body.amount_collected, body.txid])).toEqual([
      ['1', hashes[0]],
      ['2', hashes[1]],
      ['3', hashes[2]],
    ]);
    const paid = webhooks.filter(({ body }) => body.status === 'PAID');
    expect(paid.map(({ body }) => [body.amount_collected, body.txid])).toEqual([['4', hashes[3]]]);
    expect(await shop.balance(eth.ids.coin)).toEqual({ total: '4', operable: '4' });
  });

  it('counts only what no failed call took back', async () => {
    const { eth } = system;
    const payer = eth.payer();
    const shop = await system.newShop({ depositFeePpm: 0 });
    const order = await shop.order(eth.ids.coin, '2');
    const nested = await payer.deploy('nestedCalls', []);
    const to = [order.pay_address] as const;
    await system.mine(eth);
    const taken = [
      await payer.send(callOf('nestedCalls', nested.address, 'payBelowReverted', to, 2n * ether)),
      await payer.send(callOf('nestedCalls', nested.address, 'payInRevertedLeaf', to, 2n * ether)),
    ];
    const failed = await payer.send(callOf('forwarder', eth.forwarder, 'forwardAndRevert', to, 2n * ether));
    await system.mine(eth);
    for (const hash of taken) expect(await payer.outcome(hash)).toMatchObject({ succeeded: true });
    expect(await payer.outcome(failed)).toMatchObject({ succeeded: false });
    await system.makeFinal(eth);
    await expectUntouched(shop, order);
    expect(await system.books.transfers(shop.appId)).toEqual([]);

    await payer.send(callOf('nestedCalls', nested.address, 'payBesideReverted', to, 2n * ether));
    await payer.send(callOf('nestedCalls', nested.address, 'payThreeDeep', to, ether));
    await system.mine(eth);
    await system.makeFinal(eth);
    const webhooks = await shop.confirmed(order.trade_no, 2);
    const reported = webhooks.map(({ body }) => `${body.amount_collected} ${body.status}`);
    expect(reported.toSorted()).toEqual(['1 TO-BE-PAID', '2 PAID']);
  });
});

describe('what only looks like a payment', () => {
  it('leaves no trace in orders, transfers, books and webhooks', async () => {
    const { eth } = system;
    const payer = eth.payer();
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '10');
    const coinOrder = await shop.order(eth.ids.coin, '1');
    const to = order.pay_address;
    const units = 10_000_000n;
    const twin = await payer.deploy('testToken', ['Tether USD', 'USDT', 6]);
    const forger = await payer.deploy('forger', []);
    const pretender = await payer.deploy('pretender', []);
    await payer.mintToken(twin.address, payer.address, units);
    await system.mine(eth);

    const pretended: Call = callOf(
      'pretender',
      pretender.address,
      'delegateTo',
      [coinOrder.pay_address],
      ether,
    );
    const succeeding = [
      await payer.sendToken(twin.address, to, units),
      await payer.sendToken(eth.falseToken, to, units),
      await payer.send(callOf('forger', forger.address, 'forgeTransfer', [payer.address, to, units])),
      await payer.send(callOf('forger', forger.address, 'forgeIndexedValue', [payer.address, to, units])),
      await payer.sendToken(eth.usdt, to, 0n),
      await payer.sendNative(coinOrder.pay_address, 0n),
      await payer.send(pretended),
    ];
    // A transaction with valid call data that fails, because the payer does not have so much.
    const failing = await payer.sendToken(eth.usdt, to, 10n ** 40n);
    await system.mine(eth);
    for (const hash of succeeding) expect(await payer.outcome(hash)).toMatchObject({ succeeded: true });
    expect(await payer.outcome(failing)).toMatchObject({ succeeded: false });
    await system.makeFinal(eth);

    await expectUntouched(shop, order);
    await expectUntouched(shop, coinOrder);
    expect(await system.books.transfers(shop.appId)).toEqual([]);
    expect(await system.books.postings(shop.appId)).toEqual([]);
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '0', operable: '0' });
  });

  it('does not disturb a payment in the same block', async () => {
    const { eth } = system;
    const payer = eth.payer();
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '10');
    const forger = await payer.deploy('forger', []);
    await payer.sendToken(eth.usdt, order.pay_address, 0n);
    await payer.send(
      callOf('forger', forger.address, 'forgeTransfer', [payer.address, order.pay_address, 9n]),
    );
    const txid = await payer.sendToken(eth.usdt, order.pay_address, 10_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    const webhooks = await shop.confirmed(order.trade_no, 1);
    expect(webhooks.map(({ body }) => [body.status, body.txid])).toEqual([['PAID', txid]]);
    expect(await system.books.transfers(shop.appId)).toHaveLength(1);
  });
});
