// Coins that a contract sends, on real dev chains: found by the balance of the address, with a tracing provider and without.
import { callOf } from '@ducat/devnet/contracts/contracts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { relayCode } from '@ducat/testkit/chains/evm/evm-contracts';
import type { DevChain } from '@ducat/testkit/system/dev-chains';
import { startSystem, startSystemOn, type System, type SystemOn } from '@ducat/testkit/system/system';
import { inCode, startTronDevChain, type TronDevChain } from '@ducat/testkit/system/tron-dev-chain';

const ether = 10n ** 18n;
const unit = 1_000_000n;

describe('on EVM chains', () => {
  let system: System;
  // BSC has a provider that traces, ETH has none.
  beforeAll(async () => {
    system = await startSystem(inject('postgresAdminUrl'), { eth: { traces: 'none' } });
  });
  afterAll(() => system?.close());

  /** Pays an order of one coin by a contract, and lets that become final. */
  async function payInside(chain: DevChain) {
    const shop = await system.newShop();
    const order = await shop.order(chain.ids.coin, '1');
    const hash = await chain
      .payer()
      .send(callOf('forwarder', chain.forwarder, 'forward', [order.pay_address], ether));
    await system.mine(chain, 3);
    await system.makeFinal(chain);
    return { shop, order, hash };
  }

  it('with a trace it is credited with its transaction, and its webhook names it', async () => {
    const { bsc } = system;
    const { shop, order, hash } = await payInside(bsc);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook?.body).toMatchObject({ status: 'PAID', amount_collected: '1', txid: hash });
    const block = Number((await bsc.payer().outcome(hash)).blockNumber);
    expect(await system.books.transfers(shop.appId)).toMatchObject([
      { state: 'final', disposition: 'payment', txId: hash, block },
    ]);
    expect(await system.books.troubles()).toEqual([]);
  });

  it('without one it is an unassigned receipt of the very block, and the books agree with the chain', async () => {
    const { eth } = system;
    const { shop, order, hash } = await payInside(eth);
    const block = Number((await eth.payer().outcome(hash)).blockNumber);
    await expect
      .poll(() => system.books.transfers(shop.appId), { timeout: 30_000 })
      .toMatchObject([
        {
          state: 'final',
          disposition: 'unassigned',
          txId: expect.stringMatching(/^balance:0x/),
          position: order.pay_address.toLowerCase(),
          block,
          tradeNo: null,
        },
      ]);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '0' });
    expect(await system.books.troubles()).toEqual([]);
    const metrics = await (await fetch(`${system.operationsUrl()}/metrics`)).text();
    expect(metrics).toContain('ducat_internal_transactions_total{chain="ETH",outcome="unassigned"} 1');
    expect(system.errors).toEqual([]);
  });
});

describe('on Tron', () => {
  let tron: TronDevChain;
  let system: SystemOn<TronDevChain>;
  beforeAll(async () => {
    tron = await startTronDevChain({ endpoints: 2 });
    system = await startSystemOn(inject('postgresAdminUrl'), [tron]);
  });
  afterAll(() => system?.close());

  /** Pays an order of ten TRX by a contract; the preferred node shows internal transactions or stores none. */
  async function payInside(storesInternal: boolean) {
    const shop = await system.newShop();
    const order = await shop.order(tron.ids.coin, '10');
    tron.proxy.lie((call, answer) =>
      storesInternal || !call.endsWith('/gettransactioninfobyblocknum') || !Array.isArray(answer)
        ? answer
        : answer.map((one: object) => ({ ...one, internal_transactions: undefined })),
    );
    const relay = await tron.hand.deploy(relayCode(inCode(order.pay_address), 10n * unit, 'ok'));
    const { id } = await tron.hand.sendAndMine({ to: relay, value: 10n * unit });
    await system.makeFinal(tron);
    return { shop, order, id };
  }

  it('what a node reports and the balance confirms is credited with its transaction', async () => {
    const { shop, order, id } = await payInside(true);
    const [webhook] = await shop.confirmed(order.trade_no, 1);
    expect(webhook?.body).toMatchObject({ status: 'PAID', amount_collected: '10', txid: id });
    expect(await system.books.troubles()).toEqual([]);
  });

  it('a node that stores none costs nothing: the chain goes on, and the money is an unassigned receipt', async () => {
    const { shop, order } = await payInside(false);
    await expect
      .poll(() => system.books.transfers(shop.appId), { timeout: 30_000 })
      .toMatchObject([
        { state: 'final', disposition: 'unassigned', txId: expect.stringMatching(/^balance:/) },
      ]);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID' });
    expect(await system.books.troubles()).toEqual([]);
    expect(system.errors).toEqual([]);
  });
});
