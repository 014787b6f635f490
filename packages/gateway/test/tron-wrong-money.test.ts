// Transactions that look like money on Tron, through the whole gateway: credited never, or with what was transferred.
import { contractSchemas } from '@ducat/tron-dev/protocol/contracts';
import { make } from '@ducat/tron-dev/protocol/schema';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { callCode, relayCode, transferSelector } from '@ducat/testkit/chains/evm/evm-contracts';
import { toTron } from '@ducat/testkit/chains/tron/tron-payer';
import type { Shop, ShopOrder } from '@ducat/testkit/system/shop';
import { startSystemOn, type SystemOn } from '@ducat/testkit/system/system';
import { inCode, startTronDevChain, type TronDevChain, USDT } from '@ducat/testkit/system/tron-dev-chain';

let tron: TronDevChain;
let system: SystemOn<TronDevChain>;
beforeAll(async () => {
  tron = await startTronDevChain();
  system = await startSystemOn(inject('postgresAdminUrl'), [tron]);
});
afterEach(async () => {
  tron.proxy.lie();
  expect(await system.books.troubles()).toEqual([]);
  expect(system.errors).toEqual([]);
});
afterAll(() => system?.close());

const unit = 1_000_000n;
/** The energy of a call of mainnet's USDT, which the dev chain's token is set to. */
const usdtEnergy = { base: 64_285n, perNewSlot: 66_000n };

interface Untouched {
  readonly shop: Shop;
  readonly orders: readonly ShopOrder[];
}

/** A shop with an open order in each of these currencies. */
async function ordersIn(...currencyIds: readonly number[]): Promise<Untouched> {
  const shop = await system.newShop();
  const orders: ShopOrder[] = [];
  for (const currencyId of currencyIds) orders.push(await shop.order(currencyId, '10'));
  return { shop, orders };
}

/** Expects no sign of these payments in orders, transfers, books and webhooks, also once they are final. */
async function expectUntouched(...shops: readonly Untouched[]): Promise<void> {
  await system.makeFinal(tron);
  for (const { shop, orders } of shops) {
    for (const order of orders) {
      const detail = await shop.detail(order.trade_no);
      expect(detail).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '0', already_confirms: 0 });
      expect(await system.events(order.trade_no)).toEqual([]);
    }
    expect(await system.books.transfers(shop.appId)).toEqual([]);
    expect(await system.books.postings(shop.appId)).toEqual([]);
  }
}

describe('a transaction of Tron that failed', () => {
  it('for want of tokens, OUT_OF_ENERGY, or with TRX on board that its contract takes back, credits nothing', async () => {
    const [poor, weary, refunded] = [
      await ordersIn(tron.ids.usdt),
      await ordersIn(tron.ids.usdt),
      await ordersIn(tron.ids.coin),
    ];
    const tooMuch = await tron.payer.sendToken(USDT, poor.orders[0]!.pay_address, 10n ** 30n);
    await system.mine(tron);
    expect(await tron.payer.outcome(tooMuch)).toMatchObject({ succeeded: false });

    await tron.dev.pinEnergy(USDT, transferSelector, { base: 10n ** 9n, perNewSlot: 0n });
    const txid = await tron.payer.sendToken(USDT, weary.orders[0]!.pay_address, 10n * unit);
    await system.mine(tron);
    await tron.dev.pinEnergy(USDT, transferSelector, usdtEnergy);
    expect(await receiptOf(txid)).toMatchObject({ receipt: { result: 'OUT_OF_ENERGY' }, result: 'FAILED' });

    const to = inCode(refunded.orders[0]!.pay_address);
    const relay = await tron.hand.deploy(relayCode(to, 10n * unit, 'reverts'));
    const { id } = await tron.hand.sendAndMine({ to: relay, value: 10n * unit });
    await system.caughtUp(tron);
    const receipt = await receiptOf(id);
    expect(receipt).toMatchObject({ result: 'FAILED' });
    expect(receipt['internal_transactions']).toMatchObject([{ rejected: true }]);
    await expectUntouched(poor, weary, refunded);
  });
});

describe('a transaction of Tron that waits', () => {
  it('is reported as SUCCESS by the node already, and credits nothing before it has a block', async () => {
    const open = await ordersIn(tron.ids.coin);
    const txid = await tron.payer.sendTrx(open.orders[0]!.pay_address, 10n * unit);
    await tron.dev.holdTransaction(txid);
    expect(await ask('gettransactionbyid', { value: txid })).toMatchObject({
      ret: [{ contractRet: 'SUCCESS' }],
    });
    await expectUntouched(open);
    await tron.dev.dropTransaction(txid);
    await expectUntouched(open);
  });
});

describe('tokens of Tron', () => {
  it('count by what has moved, whatever their transfer answers', async () => {
    const { shop, orders } = await ordersIn(tron.ids.usdt);
    const txid = await tron.payer.sendToken(USDT, orders[0]!.pay_address, 10n * unit);
    await system.mine(tron);
    // The answer of the real USDT: a word of zeros, which is false.
    expect(await receiptOf(txid)).toMatchObject({ contractResult: ['0'.repeat(64)] });
    await system.makeFinal(tron);
    const webhooks = await shop.confirmed(orders[0]!.trade_no, 1);
    expect(webhooks.map(({ body }) => [body.status, body.amount_collected, body.txid])).toEqual([
      ['PAID', '10', txid],
    ]);
    expect(await shop.balance(tron.ids.usdt)).toEqual({ total: '9.997', operable: '9.997' });
  });

  it('that answer true and do nothing, or false, or call themselves USDT, credit nothing, also where they are configured', async () => {
    const { ids, hollow, refusing, payer } = tron;
    const open = await ordersIn(ids.hollow, ids.refusing, ids.usdt);
    const to = open.orders.map(({ pay_address }) => pay_address);
    const owner = tron.dev.accounts[1]!.address;
    const real = { owner, name: 'Tether USD', symbol: 'USDT', decimals: 6, supply: 10n ** 12n } as const;
    const twin = await tron.dev.deployToken({ ...real, like: 'standard' });
    const answered = [
      await payer.sendToken(hollow, to[0]!, 10n * unit),
      await payer.sendToken(refusing, to[1]!, 10n * unit),
      await payer.sendToken(hollow, to[2]!, 10n * unit),
      await payer.sendToken(twin, to[2]!, 10n * unit),
    ];
    await system.mine(tron);
    for (const txid of answered) expect(await payer.outcome(txid)).toMatchObject({ succeeded: true });
    await expectUntouched(open);
  });

  it('of TRC-10 named USDT, or carried by a call, are not USDT and not TRX', async () => {
    const open = await ordersIn(tron.ids.usdt, tron.ids.coin);
    const [usdtAddress, coinAddress] = open.orders.map(({ pay_address }) => inCode(pay_address));
    const owner = toTron(tron.hand.address);
    const token = { owner, name: 'USDT', symbol: 'USDT', precision: 6, supply: 10n ** 12n } as const;
    const tokenId = await tron.dev.issueToken(token);
    const transfer = make(contractSchemas.TransferAssetContract, {
      asset_name: Buffer.from(tokenId).toString('hex'),
      owner_address: owner,
      to_address: toTron(usdtAddress!),
      amount: 10n * unit,
    });
    await tron.hand.send({ name: 'TransferAssetContract', value: transfer });
    // The dev chain's machine moves no TRC-10 inside, so the node is made to report such a call.
    const relay = await tron.hand.deploy(relayCode(coinAddress!, 0, 'ok'));
    const caller = toTron(relay);
    const inside = {
      hash: 'ab'.repeat(32),
      caller_address: caller,
      transferTo_address: toTron(coinAddress!),
      note: Buffer.from('call').toString('hex'),
      callValueInfo: [{}, { tokenId, callValue: Number(10n * unit) }],
    };
    const asked = new Set<string>();
    tron.proxy.lie((call, answer) => {
      const [, question] = /^(\w+)\/gettransactioninfobyblocknum$/.exec(call) ?? [];
      if (question === undefined || !Array.isArray(answer)) return answer;
      if (answer.length > 0) asked.add(question);
      return answer.map((one: object) => ({ ...one, internal_transactions: [inside] }));
    });
    await tron.hand.sendAndMine({ to: relay });
    await system.caughtUp(tron);
    await expectUntouched(open);
    expect(asked).toEqual(new Set(['wallet', 'walletsolidity']));
  });
});

describe('TRX that contracts send', () => {
  it('counts only what no failed call took back', async () => {
    const { shop, orders } = await ordersIn(tron.ids.coin);
    const to = inCode(orders[0]!.pay_address);
    const lost = await tron.hand.deploy(relayCode(to, 7n * unit, 'reverts'));
    const good = await tron.hand.deploy(relayCode(to, 10n * unit, 'ok'));
    const { id: taken } = await tron.hand.run(7n * unit, ...callCode(lost, 7n * unit));
    expect(await receiptOf(taken)).toMatchObject({ receipt: { result: 'SUCCESS' } });
    await system.caughtUp(tron);
    await expectUntouched({ shop, orders });

    const { id } = await tron.hand.run(
      17n * unit,
      ...callCode(lost, 7n * unit),
      ...callCode(good, 10n * unit),
    );
    await system.caughtUp(tron);
    await system.makeFinal(tron);
    const webhooks = await shop.confirmed(orders[0]!.trade_no, 1);
    expect(webhooks.map(({ body }) => [body.status, body.amount_collected, body.txid])).toEqual([
      ['PAID', '10', id],
    ]);
    expect(await system.books.transfers(shop.appId)).toMatchObject([{ units: '10000000' }]);
  });
});

async function ask(call: string, parameters: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${tron.dev.fullUrl}/wallet/${call}`, {
    method: 'POST',
    body: JSON.stringify(parameters),
  });
  // A test says what it expects of the answer.
  return (await response.json()) as Record<string, unknown>;
}

function receiptOf(txid: string): Promise<Record<string, unknown>> {
  return ask('gettransactioninfobyid', { value: txid });
}
