// Forks of Tron under a payment: it goes for good, it moves to another block, it fails where it has moved to.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Shop, ShopOrder } from '@ducat/testkit/system/shop';
import { startSystemOn, type SystemOn } from '@ducat/testkit/system/system';
import { startTronDevChain, type TronDevChain, USDT } from '@ducat/testkit/system/tron-dev-chain';

let tron: TronDevChain;
let system: SystemOn<TronDevChain>;
beforeAll(async () => {
  tron = await startTronDevChain();
  system = await startSystemOn(inject('postgresAdminUrl'), [tron]);
});
afterEach(async () => {
  expect(await system.books.troubles()).toEqual([]);
  expect(system.errors).toEqual([]);
});
afterAll(() => system?.close());

const kinds = ['coin', 'usdt'] as const;
type Kind = (typeof kinds)[number];
const unit = 1_000_000n;
let branches = 0;

function pay(kind: Kind, to: string, units: bigint): Promise<string> {
  return kind === 'coin' ? tron.payer.sendTrx(to, units) : tron.payer.sendToken(USDT, to, units);
}

interface Paid {
  readonly kind: Kind;
  readonly shop: Shop;
  readonly order: ShopOrder;
  readonly txid: string;
}

/** Pays 10 of each kind in one block and makes two more blocks on it. None of the payments is final. */
async function paid(timeOut?: number): Promise<{ readonly all: readonly Paid[]; readonly height: number }> {
  const more = timeOut === undefined ? {} : { time_out: timeOut };
  const all: Paid[] = [];
  for (const kind of kinds) {
    const shop = await system.newShop();
    const order = await shop.order(tron.ids[kind], '10', more);
    all.push({ kind, shop, order, txid: await pay(kind, order.pay_address, 10n * unit) });
  }
  await system.mine(tron, 3);
  for (const { shop, order } of all)
    expect(await shop.detail(order.trade_no)).toMatchObject({
      status: 'TO-BE-PAID',
      already_confirms: 3,
      need_confirms: 19,
    });
  return { all, height: tron.dev.head().number - 2 };
}

/**
 * Replaces the blocks from `height` on. Each list of transactions gets a block of its own. All other transactions of the
 * replaced blocks are dropped.
 */
async function replaceFrom(height: number, ...blocks: readonly (readonly string[])[]): Promise<void> {
  branches += 1;
  const name = `other-${branches}`;
  await tron.dev.openBranch(name, height - 1);
  for (const transactions of blocks) await tron.dev.mineOn(name, 1, transactions);
  await tron.dev.switchTo(name, { orphans: 'drop' });
  await system.caughtUp(tron);
}

/** A time_out that our clock allows and that lies ahead of the chain's, which other tests have moved. */
function soon(): number {
  const headTime = Math.floor(tron.dev.head().timestamp / 1000);
  return Math.max(Math.floor(Date.now() / 1000), headTime) + 70;
}

/** Expects the state after a fork has removed a payment. */
async function expectNothing({ shop, order, kind }: Omit<Paid, 'txid'>): Promise<void> {
  expect(await shop.detail(order.trade_no)).toMatchObject({ amount_collected: '0', already_confirms: 0 });
  expect(await shop.balance(tron.ids[kind])).toEqual({ total: '0', operable: '0' });
  expect(await system.books.postings(shop.appId)).toEqual([]);
  const transfers = await system.books.transfers(shop.appId);
  expect(transfers.map(({ state }) => state)).toEqual(['orphaned']);
}

describe('a fork of Tron that drops a payment, in the coin and in USDT', () => {
  it('credits it never: the order shows it gone, and expires', async () => {
    const { all, height } = await paid(soon());
    await replaceFrom(height, [], [], [], []);
    for (const one of all) {
      expect(await one.shop.detail(one.order.trade_no)).toMatchObject({ status: 'TO-BE-PAID' });
      await expectNothing(one);
    }

    const expiry = Math.max(...all.map(({ order }) => order.time_expire));
    tron.dev.setNextBlockTimestamp((expiry + 1) * 1000);
    await system.mine(tron);
    for (const { shop, order } of all) {
      expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID' });
      expect(await system.events(order.trade_no)).toEqual([]);
    }
    await system.makeFinal(tron);
    for (const one of all) {
      const { shop, order } = one;
      const [webhook] = await shop.confirmed(order.trade_no, 1);
      expect(webhook!.body).toMatchObject({ status: 'TIME-OUT', amount_collected: '0', txid: '' });
      expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TIME-OUT' });
      expect((await system.events(order.trade_no)).map(({ status }) => status)).toEqual(['TIME-OUT']);
      await expectNothing(one);
    }
  });
});

describe('a fork of Tron that moves a payment to another block, in the coin and in USDT', () => {
  it('credits it once, nineteen blocks from there', async () => {
    const { all, height } = await paid();
    await replaceFrom(
      height,
      [],
      all.map(({ txid }) => txid),
      [],
      [],
    );
    for (const { shop, order, txid } of all) {
      expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 3 });
      expect(await system.books.transfers(shop.appId)).toMatchObject([
        { txId: txid, block: height + 1, state: 'seen' },
      ]);
    }

    // At its first place it would be final one block earlier.
    await system.mine(tron, 15);
    for (const { shop, order } of all) {
      expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', already_confirms: 18 });
      expect(await system.events(order.trade_no)).toEqual([]);
    }
    await system.mine(tron);
    for (const { shop, order, txid } of all) {
      const [webhook] = await shop.confirmed(order.trade_no, 1);
      expect(webhook!.body).toMatchObject({ status: 'PAID', amount_collected: '10', txid });
      // Both answers name the chain alike: it has no id on the wire.
      expect(webhook!.body).toMatchObject({ chain: 'Tron', chain_id: 0 });
      expect(await shop.detail(order.trade_no)).toMatchObject({ chain: 'Tron', chain_id: 0 });
    }
    await system.makeFinal(tron);
    for (const { kind, shop, order, txid } of all) {
      expect(shop.webhooks(order.trade_no)).toHaveLength(1);
      expect(await system.events(order.trade_no)).toHaveLength(1);
      expect(await system.books.transfers(shop.appId)).toMatchObject([
        { txId: txid, block: height + 1, units: '10000000', state: 'final', disposition: 'payment' },
      ]);
      expect(await shop.balance(tron.ids[kind])).toEqual({ total: '9.997', operable: '9.997' });
    }
  });

  it('and back again credits it once', async () => {
    const { all, height } = await paid();
    const txids = all.map(({ txid }) => txid);
    await replaceFrom(height, [], txids, [], []);
    await replaceFrom(height, txids, [], [], [], []);
    for (const { shop } of all)
      expect(await system.books.transfers(shop.appId)).toMatchObject([{ block: height, state: 'seen' }]);
    await system.makeFinal(tron);
    for (const { kind, shop, order, txid } of all) {
      const [webhook, ...more] = await shop.confirmed(order.trade_no, 1);
      expect(more).toEqual([]);
      expect(webhook!.body).toMatchObject({ status: 'PAID', amount_collected: '10', txid });
      expect(await shop.balance(tron.ids[kind])).toEqual({ total: '9.997', operable: '9.997' });
    }
  });

  it('in which it fails, because its tokens are spent there, credits it never', async () => {
    const shop = await system.newShop();
    const order = await shop.order(tron.ids.usdt, '10');
    const spender = tron.payerOf(2);
    const address = tron.dev.accounts[2]!.address;
    await tron.payer.sendToken(USDT, address, 10n * unit);
    await system.mine(tron);
    const txid = await spender.sendToken(USDT, order.pay_address, 10n * unit);
    const elsewhere = await spender.sendToken(USDT, tron.dev.accounts[3]!.address, 10n * unit);
    await tron.dev.holdTransaction(elsewhere);
    await system.mine(tron, 2);
    expect(await shop.detail(order.trade_no)).toMatchObject({ already_confirms: 2 });
    const height = tron.dev.head().number - 1;

    // The new blocks have the same transactions in the other order, so that the payment fails.
    await replaceFrom(height, [elsewhere], [txid], []);
    expect(await spender.outcome(txid)).toMatchObject({ succeeded: false, blockNumber: height + 1 });
    await expectNothing({ shop, order, kind: 'usdt' });
    await system.mine(tron, 25);
    await expectNothing({ shop, order, kind: 'usdt' });
    expect(await system.events(order.trade_no)).toEqual([]);
  });
});
