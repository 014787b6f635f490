// Which calls are refused while a chain stands still, and whose balance a payment changes.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { haltChain } from '../src/flows/blocks/halt-chain.ts';
import { resumeChain } from '../src/flows/blocks/resume-chain.ts';
import { auditBooks } from '../src/db/reports/audit.ts';
import { readLease, watchLease } from '../src/db/tables/leases.ts';
import { startSystem, type System } from '@ducat/testkit/system/system';

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
});
let expected = 0;
afterEach(() => {
  expect(system.errors).toHaveLength(expected);
});
afterAll(() => system?.close());

describe('a halted chain', () => {
  it('takes no orders (20003), times nothing out, and pays what came meanwhile once it runs again', async () => {
    const { eth, bsc, database } = system;
    const shop = await system.newShop();
    const soon = Math.max(Math.floor(Date.now() / 1000), await eth.headTime()) + 70;
    const order = await shop.order(eth.ids.usdt, '10', { time_out: soon });
    const unpaid = await shop.order(eth.ids.usdt, '10', { time_out: soon });
    const { token, holder } = (await readLease(database.reader, watchLease(eth.name))) ?? {
      token: 0,
      holder: null,
    };
    const lease = { token, holder: holder ?? '' };
    const halt = { chain: eth.name, reason: 'a test looks at it', nowMs: Date.now(), lease };
    expect(await database.transact((tx) => haltChain(tx, halt))).toBe('halted');

    const halted = await shop.refusalOf('create-order', {
      out_trade_no: 'halted-1',
      currency_id: eth.ids.coin,
      token_amount: '1',
    });
    expect(halted).toMatchObject({ code: 20003, msg: expect.stringContaining('currency_id') });
    const other = await shop.order(bsc.ids.coin, '1');
    await eth.payer().sendToken(eth.usdt, order.pay_address, 10_000_000n);
    await eth.node.mine();
    await eth.node.setNextBlockTimestamp(soon + 3_600);
    await eth.node.mine(10);
    // A payment on the other chain shows that the gateway had enough time for both chains.
    await bsc.payer().sendNative(other.pay_address, 10n ** 18n);
    await system.mine(bsc);
    await system.makeFinal(bsc);
    await shop.confirmed(other.trade_no, 1);
    expect(await system.events(order.trade_no)).toEqual([]);
    expect(await system.events(unpaid.trade_no)).toEqual([]);

    await database.transact((tx) => resumeChain(tx, eth.name, Date.now()));
    const [paid] = await shop.confirmed(order.trade_no, 1);
    expect(paid!.body).toMatchObject({ status: 'PAID', amount_collected: '10' });
    const [timedOut] = await shop.confirmed(unpaid.trade_no, 1);
    expect(timedOut!.body).toMatchObject({ status: 'TIME-OUT', txid: '', time: soon });
    await system.caughtUp(eth);
    expect(await shop.order(eth.ids.coin, '1')).toMatchObject({ chain: 'ETH' });
    expect(await system.books.troubles()).toEqual([]);
  });
});

describe('account/balance', () => {
  it('shows the credit less the fee of the merchant, and leaves every other app as it was', async () => {
    const { eth } = system;
    const [shop, dear, other] = await Promise.all([
      system.newShop(),
      system.newShop({ depositFeePpm: 12_345 }),
      system.newShop(),
    ]);
    const orders = [await shop.order(eth.ids.usdt, '0.000001'), await dear.order(eth.ids.usdt, '1.23')];
    await eth.payer().sendToken(eth.usdt, orders[0]!.pay_address, 3_333_333n);
    await eth.payer().sendToken(eth.usdt, orders[1]!.pay_address, 1_230_000n);
    await system.mine(eth);
    await system.makeFinal(eth);
    // 0.03 % of 3.333333 are 0.0009999999, and 1.2345 % of 1.23 are 0.01518435: both rounded down to the unit.
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '3.332334', operable: '3.332334' });
    expect(await dear.balance(eth.ids.usdt)).toEqual({ total: '1.214816', operable: '1.214816' });
    expect(await other.balance(eth.ids.usdt)).toEqual({ total: '0', operable: '0' });
    expect(await system.books.postings(shop.appId)).toEqual([
      { fact: 'deposit', kind: 'available', currencyId: 1001, units: '3332334' },
    ]);
    expect(await other.call('app-token-list', {})).toSatisfy((tokens: { balance: string }[]) =>
      tokens.every(({ balance }) => balance === '0'),
    );
    const foreign = await other.refusalOf('order-detail', { trade_no: orders[0]!.trade_no });
    expect(foreign.code).toBe(10004);
    const value = await shop.call('account-balance', { currency_id: eth.ids.usdt });
    expect(value).toMatchObject({ balance_usdt: '3.332334', operable_balance_usdt: '3.332334' });
    expect(await system.books.troubles()).toEqual([]);
  });
});

// The last test, because it replaces final blocks: the books cannot be compared with this chain any more.
describe('a fork below the final height', () => {
  it('halts the chain: no order is taken, and nothing paid is taken back', async () => {
    const { bsc, database } = system;
    const shop = await system.newShop();
    const order = await shop.order(bsc.ids.coin, '1');
    await bsc.payer().sendNative(order.pay_address, 10n ** 18n);
    await system.mine(bsc);
    await system.makeFinal(bsc);
    await shop.confirmed(order.trade_no, 1);
    await bsc.reorg(6);
    await expect.poll(() => haltedReason('BSC'), { timeout: 10_000 }).toMatch(/fork below the final height/);
    expect(system.errors.at(-1)).toContain('fork below the final height');
    expected = 1;
    const refused = await shop.refusalOf('create-order', {
      out_trade_no: 'halted-2',
      currency_id: bsc.ids.usdt,
      token_amount: '1',
    });
    expect(refused.code).toBe(20003);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'PAID', amount_collected: '1' });
    expect(await shop.balance(bsc.ids.coin)).toEqual({ total: '0.9997', operable: '0.9997' });
    expect(await system.events(order.trade_no)).toHaveLength(1);
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});

async function haltedReason(chain: string): Promise<string> {
  const [row] = await system.database.reader.read<{ reason: string | null }>(
    'SELECT halted_reason AS reason FROM chain_cursors WHERE chain = $1',
    [chain],
  );
  return row?.reason ?? '';
}
