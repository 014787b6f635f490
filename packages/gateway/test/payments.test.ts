// Payments as they should be, and nearly: exact, in parts, too much, several at once; webhooks and books checked.
import { events } from '@ducat/contract/events/registry';
import { parseDecimal } from '@ducat/core/money/decimal';
import { switchQrCode } from '../src/flows/qr/switch-qr-code.ts';
import { callOf } from '@ducat/devnet/contracts/contracts';
import { fetchHeader } from '@ducat/devnet/evm/json-rpc';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
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

describe('an exact payment', () => {
  it('in the native coin: the order is PAID, and the webhook says so field by field', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.coin, '0.25', { redirect_url: 'https://shop.example/thanks' });
    expect(order).toMatchObject({ amount: '0.25', token: 'ETH', contract: 'ETH', chain_id: 31_337 });

    const txid = await eth.payer().sendNative(order.pay_address, ether / 4n);
    await system.mine(eth);
    const seen = await shop.detail(order.trade_no);
    expect(seen).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 1, need_confirms: 4 });
    expect(['', '0']).toContain(seen.amount_collected);
    await system.mine(eth, 2);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 3 });
    expect(await system.events(order.trade_no)).toEqual([]);
    expect(await shop.balance(eth.ids.coin)).toEqual({ total: '0', operable: '0' });

    await system.mine(eth);
    await expect.poll(async () => (await shop.detail(order.trade_no)).status).toBe('PAID');
    const paid = await shop.detail(order.trade_no);
    expect(paid).toMatchObject({ status: 'PAID', amount_collected: '0.25', already_confirms: 4 });
    const [webhook, ...more] = await shop.confirmed(order.trade_no, 1);
    expect(more).toEqual([]);
    expect(webhook!.body).toEqual({
      appid: shop.appId,
      trade_no: order.trade_no,
      out_trade_no: paid.out_trade_no,
      amount_collected: '0.25',
      amount: '',
      token_amount: '0.25',
      chain: 'ETH',
      chain_id: 31_337,
      type: 'PAYMENT',
      currency_id: 1000,
      txid,
      status: 'PAID',
      time: await eth.timeOf(txid),
      redirect_url: 'https://shop.example/thanks',
    });
    expect(Object.keys(webhook!.body)).toEqual(Object.keys(events.PAYMENT.body.properties));
    expect(await shop.balance(eth.ids.coin)).toEqual({ total: '0.249925', operable: '0.249925' });
  });

  it('in a token priced in fiat: the amount in fiat stands in the webhook as it was given', async () => {
    const { bsc } = system;
    const shop = await system.newShop();
    const fiat = { fiat_name: 'USD', fiat_amount: '12.50' } as const;
    const order = await shop.order(bsc.ids.usdt, undefined, { out_trade_no: 'fiat-1', ...fiat });
    const { trade_no, amount, pay_address, decimal } = order;
    expect(decimal).toBe(18);

    const units = parseDecimal(amount, 18);
    const txid = await bsc.payer().sendToken(bsc.usdt, pay_address, units!);
    await system.mine(bsc);
    await system.makeFinal(bsc);
    expect(await shop.detail(trade_no)).toMatchObject({ status: 'PAID', amount_collected: amount, ...fiat });
    const [webhook] = await shop.confirmed(trade_no, 1);
    expect(webhook!.body).toMatchObject({
      out_trade_no: 'fiat-1',
      amount: '12.50',
      token_amount: amount,
      amount_collected: amount,
      chain: 'BSC',
      chain_id: 31_338,
      currency_id: 2001,
      txid,
      status: 'PAID',
      redirect_url: '',
    });
  });

  it('is sent to the callback_url of the order, where it has one', async () => {
    const { eth, receiver } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '1', { callback_url: `${receiver.url}/own` });
    await eth.payer().sendToken(eth.usdt, order.pay_address, 1_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    await expect.poll(() => receiver.received('/own').length, { timeout: 10_000 }).toBe(1);
    expect(JSON.parse(receiver.received('/own')[0]!.body)).toMatchObject({ trade_no: order.trade_no });
    expect(shop.webhooks(order.trade_no)).toEqual([]);
  });
});

describe('a payment in parts', () => {
  it('that stays short is TO-BE-PAID with the sum so far, and PAID once the rest has come', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '10');
    const first = await eth.payer().sendToken(eth.usdt, order.pay_address, 4_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    await shop.confirmed(order.trade_no, 1);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '4' });

    const second = await eth.payer().sendToken(eth.usdt, order.pay_address, 6_000_000n);
    await system.mine(eth);
    expect(await shop.detail(order.trade_no)).toMatchObject({ amount_collected: '4', already_confirms: 1 });
    await system.makeFinal(eth);
    const webhooks = await shop.confirmed(order.trade_no, 2);
    expect(webhooks.map(({ body }) => [body.status, body.amount_collected, body.txid])).toEqual([
      ['TO-BE-PAID', '4', first],
      ['PAID', '10', second],
    ]);
    expect(new Set(webhooks.map(({ eventId }) => eventId)).size).toBe(2);
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '9.997', operable: '9.997' });
  });

  it('within the tolerance of the app is PAID', async () => {
    const { eth } = system;
    const shop = await system.newShop({ tolerancePpm: 10_000 });
    const order = await shop.order(eth.ids.usdt, '10');
    await eth.payer().sendToken(eth.usdt, order.pay_address, 9_900_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({ status: 'PAID', token_amount: '10', amount_collected: '9.9' });
  });

  it('of two transfers in one transaction counts both', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '3');
    const to = [order.pay_address, order.pay_address];
    const call = callOf('multiSend', eth.multiSend, 'sendToken', [eth.usdt, to, [1_000_000n, 2_000_000n]]);
    const txid = await eth.payer().send(call);
    await system.mine(eth);
    await system.makeFinal(eth);
    // All transfers of one transaction to an order are reported by one webhook.
    const webhooks = await shop.confirmed(order.trade_no, 1);
    const reported = webhooks.map(({ body }) => `${body.amount_collected} ${body.status} ${body.txid}`);
    expect(reported).toEqual([`3 PAID ${txid}`]);
    expect((await system.events(order.trade_no)).map(({ status }) => status)).toEqual(['PAID']);
    expect((await system.books.transfers(shop.appId)).map(({ position }) => position)).toHaveLength(2);
  });
});

describe('more than was asked', () => {
  it('is PAID with all of it, and what comes afterwards is extra without another webhook', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '5');
    await eth.payer().sendToken(eth.usdt, order.pay_address, 7_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({ status: 'PAID', token_amount: '5', amount_collected: '7' });

    await eth.payer().sendToken(eth.usdt, order.pay_address, 1_000_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'PAID', amount_collected: '8' });
    expect((await system.events(order.trade_no)).map(({ status }) => status)).toEqual(['PAID']);
    const transfers = await system.books.transfers(shop.appId);
    expect(transfers.map(({ disposition }) => disposition)).toEqual(['payment', 'extra']);
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '7.9976', operable: '7.9976' });
  });
});

describe('one transaction for five orders', () => {
  it.each(['coin', 'usdt'] as const)('pays each of them once, in the %s', async (kind) => {
    const { eth } = system;
    const shop = await system.newShop();
    const orders = [];
    for (let place = 1; place <= 5; place++) orders.push(await shop.order(eth.ids[kind], `${place}`));
    const to = orders.map(({ pay_address }) => pay_address);
    const unit = kind === 'coin' ? ether : 1_000_000n;
    const amounts = [1n, 2n, 3n, 4n, 5n].map((amount) => amount * unit);
    const txid = await eth
      .payer()
      .send(
        kind === 'coin'
          ? callOf('multiSend', eth.multiSend, 'sendNative', [to, amounts], 15n * unit)
          : callOf('multiSend', eth.multiSend, 'sendToken', [eth.usdt, to, amounts]),
      );
    await system.mine(eth);
    await system.makeFinal(eth);
    for (const [place, { trade_no }] of orders.entries()) {
      const [webhook, ...more] = await shop.confirmed(trade_no, 1);
      expect(more).toEqual([]);
      expect(webhook!.body).toMatchObject({ status: 'PAID', amount_collected: `${place + 1}`, txid });
    }
    const transfers = await system.books.transfers(shop.appId);
    expect(new Set(transfers.map(({ position }) => position)).size).toBe(5);
    expect(await shop.balance(eth.ids[kind])).toEqual({ total: '14.9955', operable: '14.9955' });
  });
});

describe('a static QR code', () => {
  it('is paid again and again, twice by one transaction too; once disabled, in silence', async () => {
    const { eth } = system;
    const shop = await system.newShop({ kind: 'QR_CODE' });
    const wanted = { name: 'Counter 3', currency_id: eth.ids.usdt, amount: '0' };
    const { id, address } = await shop.call('create-qr-code', wanted);
    const call = { out_trade_no: 'none', currency_id: eth.ids.usdt, token_amount: '1' };
    expect(await shop.refusalOf('create-order', call)).toMatchObject({ code: 10006 });
    // An address of an EVM chain, as the answer's own checksum form shows.
    const to = address as `0x${string}`;
    const payer = eth.payer();
    const amounts = [1_000_000n, 2_000_000n];
    const txid = await payer.send(
      callOf('multiSend', eth.multiSend, 'sendToken', [eth.usdt, [to, to], amounts]),
    );
    await system.mine(eth);
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '0', operable: '0' });
    await system.makeFinal(eth);
    // Both webhooks are sent at the same time, and may arrive in any order.
    const received = await shop.qrPayments(address, 2);
    const webhooks = received.toSorted((a, b) => Number(a.body.token_amount) - Number(b.body.token_amount));
    expect(webhooks.map(({ body }) => body.token_amount)).toEqual(['1', '2']);
    expect(new Set(webhooks.map(({ body }) => body.trade_no)).size).toBe(2);
    const [{ body }] = webhooks as [(typeof webhooks)[0]];
    expect(body).toEqual({
      appid: shop.appId,
      trade_no: expect.stringMatching(/^qrp_[0-9a-v]{30}$/),
      type: 'QR_PAYMENT',
      chain: 'ETH',
      chain_id: 31_337,
      contract: eth.usdt,
      txid,
      currency_id: eth.ids.usdt,
      from_address: payer.address,
      to_address: address,
      token_amount: '1',
      status: 'PAID',
      time: await eth.timeOf(txid),
    });
    expect(Object.keys(body)).toEqual(Object.keys(events.QR_PAYMENT.body.properties));

    const now = await eth.timeOf(txid);
    await system.database.transact((tx) => switchQrCode(tx, { qrCodeId: id, isDisabled: true, now }));
    await payer.sendToken(eth.usdt, to, 7_000_000n);
    // The next block is of a later second than the switch, however quick or slow the machine is.
    const head = await fetchHeader(eth.node.rpcUrl, 'latest');
    await eth.node.setNextBlockTimestamp((head?.timestamp ?? now) + 1);
    await system.mine(eth);
    await system.makeFinal(eth);
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '9.997', operable: '9.997' });
    const transfers = await system.books.transfers(shop.appId);
    expect(transfers.map(({ disposition }) => disposition)).toEqual(['payment', 'payment', 'late']);
    expect(await shop.qrPayments(address, 2)).toHaveLength(2);
  });
});
