// Reorganisations of depth three under a payment: it moves, it goes, it goes and comes back.
import { callOf } from '@ducat/devnet/contracts/contracts';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Address, DevChain } from '@ducat/testkit/system/dev-chains';
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

let strangerNonce = 0;

/** A signed token transfer of a stranger, who has no tokens to lose but moves zero of them. */
async function transferOfAStranger(chain: DevChain): Promise<Address> {
  const { account, address } = testAccount(3);
  const call = callOf('testToken', chain.usdt, 'transfer', [address, 0n]);
  return account.signTransaction({
    ...call,
    chainId: chain.node.chainId,
    type: 'eip1559',
    nonce: strangerNonce++,
    gas: 100_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
}

async function rawOf(chain: DevChain, hash: Address): Promise<Address> {
  const raw = String(await chain.node.rpc('eth_getRawTransactionByHash', [hash]));
  return `0x${raw.slice(2)}`;
}

describe('a reorganisation that moves a payment to another block and position', () => {
  it.each(['coin', 'usdt'] as const)('leaves it PAID once, with one webhook, in the %s', async (kind) => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids[kind], '2');
    const hash =
      kind === 'coin'
        ? await eth.payer().sendNative(order.pay_address, 2n * 10n ** 18n)
        : await eth.payer().sendToken(eth.usdt, order.pay_address, 2_000_000n);
    await system.mine(eth, 3);
    const [before] = await system.books.transfers(shop.appId);
    expect(before).toMatchObject({ state: 'seen', txId: hash });
    expect(await shop.detail(order.trade_no)).toMatchObject({ already_confirms: 3 });

    await eth.reorg(3, [
      { rawTransaction: await transferOfAStranger(eth), blockOffset: 1 },
      { rawTransaction: await rawOf(eth, hash), blockOffset: 1 },
    ]);
    await system.caughtUp(eth);
    const moved = await eth.node.rpc('eth_getTransactionReceipt', [hash]);
    expect(moved).toMatchObject({ transactionIndex: '0x1', blockNumber: hex(before!.block + 1) });
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 2 });
    expect(await system.events(order.trade_no)).toEqual([]);

    // The payment gets one confirmation less than it needs in its new block, and then the last one.
    await system.mine(eth);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 3 });
    await system.mine(eth);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({ status: 'PAID', amount_collected: '2', txid: hash });
    expect(webhook!.body.time).toBe(await eth.timeOf(hash));
    await system.makeFinal(eth);
    expect(await system.events(order.trade_no)).toHaveLength(1);
    expect(shop.webhooks(order.trade_no)).toHaveLength(1);
    expect(await system.books.transfers(shop.appId)).toMatchObject([
      { ...before!, block: before!.block + 1, state: 'final', disposition: 'payment' },
    ]);
    expect(await shop.balance(eth.ids[kind])).toEqual({ total: '1.9994', operable: '1.9994' });
    expect(await lastReorg(eth)).toEqual({ depth: 3, orphaned: 1 });
  });
});

describe('a reorganisation that drops a payment', () => {
  it('leaves the order unpaid, without a webhook and without a balance', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.usdt, '2');
    await eth.payer().sendToken(eth.usdt, order.pay_address, 2_000_000n);
    await system.mine(eth, 3);
    expect(await shop.detail(order.trade_no)).toMatchObject({ already_confirms: 3 });
    await eth.reorg(3);
    await system.caughtUp(eth);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 0 });
    await system.mine(eth, 8);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '0' });
    expect(await system.events(order.trade_no)).toEqual([]);
    expect((await system.books.transfers(shop.appId)).map(({ state }) => state)).toEqual(['orphaned']);
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '0', operable: '0' });
  });

  it('and lets it come back ten blocks later: PAID once', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.coin, '2');
    const hash = await eth.payer().sendNative(order.pay_address, 2n * 10n ** 18n);
    await system.mine(eth, 3);
    const raw = await rawOf(eth, hash);
    await eth.reorg(3);
    await system.mine(eth, 10);
    await eth.node.rpc('eth_sendRawTransaction', [raw]);
    await system.mine(eth);
    await system.makeFinal(eth);
    const webhooks = await shop.confirmed(order.trade_no, 1);
    expect(webhooks.map(({ body }) => [body.status, body.txid])).toEqual([['PAID', hash]]);
    expect(await system.events(order.trade_no)).toHaveLength(1);
    expect(await shop.balance(eth.ids.coin)).toEqual({ total: '1.9994', operable: '1.9994' });
  });

  it('and pays with another transaction of the same nonce: only that one counts', async () => {
    const { eth } = system;
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.coin, '2');
    const lost = await eth.payer().sendNative(order.pay_address, 2n * 10n ** 18n);
    await system.mine(eth, 2);
    await eth.reorg(2);
    const other = await eth.payer().sendNative(order.pay_address, 10n ** 18n);
    await system.mine(eth);
    await system.makeFinal(eth);
    expect(other).not.toBe(lost);
    const webhooks = await shop.confirmed(order.trade_no, 1);
    expect(webhooks.map(({ body }) => [body.status, body.amount_collected, body.txid])).toEqual([
      ['TO-BE-PAID', '1', other],
    ]);
    expect(await shop.balance(eth.ids.coin)).toEqual({ total: '0.9997', operable: '0.9997' });
  });
});

describe('a chain that becomes shorter', () => {
  it('is followed once it has grown again', async () => {
    const { bsc } = system;
    const shop = await system.newShop();
    const order = await shop.order(bsc.ids.coin, '1');
    await system.mine(bsc, 3);
    await bsc.node.rollback(2);
    await bsc.payer().sendNative(order.pay_address, 10n ** 18n);
    // A node that reports a lower head than before counts as lagging, until its chain is longer than before.
    await bsc.node.mine(2);
    await system.mine(bsc);
    await system.makeFinal(bsc);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook!.body).toMatchObject({ status: 'PAID', chain: 'BSC' });
  });
});

async function lastReorg(chain: DevChain): Promise<unknown> {
  const [row] = await system.database.reader.read(
    `SELECT from_number - ancestor_number AS depth, orphaned FROM reorgs
     WHERE chain = $1 ORDER BY reorg_id DESC LIMIT 1`,
    [chain.name],
  );
  return row;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
