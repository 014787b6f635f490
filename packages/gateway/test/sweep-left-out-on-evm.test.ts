// Deposit addresses on a real EVM dev chain that are funded, each by itself, although others are swept.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { SWEEPER_FACTORY } from '@ducat/core/collection/sweeper';
import { amountOf, unitsOf, zero } from '@ducat/core/money/amount';
import { TEST_LEASE } from '@ducat/testkit/fixtures';
import { ETHER, SweepStage } from '@ducat/testkit/payer/sweep-stage';
import { askSweeper } from '../src/flows/collections/ask-sweeper.ts';
import { Outage } from '../src/runtime/outage.ts';

const DAY_MS = 24 * 60 * 60_000;

let sweeping: SweepStage;
let node: SweepStage['node'];
let stage: SweepStage['stage'];
let collecting: SweepStage['collecting'];
let native: SweepStage['native'];
let token: SweepStage['token'];
let swept: readonly string[] = [];

beforeAll(async () => {
  sweeping = await SweepStage.open();
  ({ node, stage, collecting, native, token } = sweeping);
  swept = await sweeping.sweptOrders();
});
afterEach(async () => {
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await sweeping?.close();
});

describe('addresses of tokens', () => {
  // hits mark: counted-nonces-are-not-authorised
  // hits mark: swept-addresses-take-no-coin
  it('go alone where they may get coin, sent something before, or are only one', async () => {
    const [funded = ''] = await sweeping.paidOrders(1);
    await sweeping.collectDue();
    await sweeping.steps(2);
    const anybody = await collecting.deposit();
    for (const address of [funded, anybody]) await sweeping.mint(address);
    const [fresh = ''] = await sweeping.paidOrders(1);
    const before = (await sweeping.sweeps()).length;
    await sweeping.collectDue();
    await sweeping.steps(2);
    expect(await sweeping.methodsOf([funded, anybody, fresh])).toMatchObject([
      [{ method: 'funded' }, { state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
    ]);
    expect(await sweeping.sweeps()).toHaveLength(before);
    for (const address of [funded, anybody, fresh]) expect(await sweeping.delegate(address)).toBe('0x');
  });

  // hits mark: a-sweep-waits-ten-minutes
  it('go alone once a sweep of them could not be signed for ten minutes', async () => {
    const addresses = await sweeping.paidOrders(2);
    await sweeping.collectDue();
    stage.refusal = 'sweep-off';
    await stage.pay(1_000);
    // The sweep is prepared again and refused again.
    await stage.pay(5 * 60_000);
    await collecting.collect();
    expect(await sweeping.methodsOf(addresses)).toMatchObject([[{ state: 'moving' }], [{ state: 'moving' }]]);
    await stage.pay(5 * 60_000);
    stage.refusal = null;
    await collecting.collect();
    expect(await sweeping.methodsOf(addresses)).toMatchObject([
      [{ state: 'withdrawn' }],
      [{ state: 'withdrawn' }],
    ]);
    await collecting.collect(60_000);
    await sweeping.steps(2);
    for (const address of addresses)
      expect(await collecting.collections(address)).toMatchObject([
        { method: 'sponsored', state: 'withdrawn' },
        { method: 'funded', state: 'collected' },
      ]);
    // For a day, other addresses of the chain do not wait for a sweep either.
    const others = await sweeping.paidOrders(2);
    await sweeping.collectDue();
    await sweeping.steps(2);
    for (const address of others)
      expect(await collecting.collections(address)).toMatchObject([{ method: 'funded', state: 'collected' }]);
    stage.nowMs += DAY_MS;
  });

  // hits mark: a-sweep-keeps-nobody-waiting
  it('keep no other transfer waiting where no node says what a sweep would cost', async () => {
    const addresses = await sweeping.paidOrders(2);
    await sweeping.collectDue();
    const estimate = stage.writer.estimate.bind(stage.writer);
    const away = vi.spyOn(stage.writer, 'estimate').mockImplementation(async (plan) => {
      if ((plan.sweeping ?? null) !== null) throw new Outage('knows no changed code');
      return estimate(plan);
    });
    const other = await stage.request(`0x${'ab'.repeat(20)}`, 1n, { coin: true });
    await stage.pay(1_000);
    away.mockRestore();
    expect(await stage.row(other)).toMatchObject({ state: 'signed' });
    expect(await sweeping.methodsOf(addresses)).toMatchObject([[{ state: 'moving' }], [{ state: 'moving' }]]);
    await sweeping.settle();
    for (let steps = 0; steps < 2; steps++) {
      await stage.pay(2_000);
      await sweeping.settle();
    }
    await collecting.collect(1_000);
    expect(await sweeping.methodsOf(addresses)).toMatchObject([
      [{ state: 'collected' }],
      [{ state: 'collected' }],
    ]);
  });

  // hits mark: a-sweep-is-given-up-after-an-hour
  it('go alone once nodes refused a signed sweep for an hour, whose nonce is used for nothing', async () => {
    const addresses = await sweeping.paidOrders(2);
    await sweeping.collectDue();
    const broadcast = stage.writer.broadcast.bind(stage.writer);
    const refusing = vi.spyOn(stage.writer, 'broadcast').mockImplementation(async (bytes) => {
      const isSweep = bytes.startsWith('04');
      return isSweep ? { outcome: 'refused', text: 'exceeds the configured cap' } : broadcast(bytes);
    });
    await stage.pay(1_000);
    const behind = await stage.request(`0x${'ab'.repeat(20)}`, 1n, { coin: true });
    for (let tries = 0; tries < 5; tries++) await stage.pay(10 * 60_000);
    const { subject_id: sweepId = '' } = (await sweeping.sweeps()).at(-1) ?? {};
    expect(await stage.row(sweepId)).toMatchObject({ state: 'signed', variants: 1 });
    for (let tries = 0; tries < 2; tries++) await stage.pay(10 * 60_000);
    refusing.mockRestore();
    await sweeping.settle();
    expect(await stage.row(sweepId)).toMatchObject({ state: 'succeeded', variants: 2, trouble: null });
    expect(await stage.row(behind)).toMatchObject({ state: 'succeeded' });
    await collecting.collect(1_000);
    for (const address of addresses) {
      expect(await collecting.collections(address)).toMatchObject([{ method: 'sponsored', state: 'failed' }]);
      expect(await sweeping.delegate(address)).toBe('0x');
    }
    await collecting.collect(60 * 60_000);
    await sweeping.steps(2);
    const others = await sweeping.paidOrders(2);
    await sweeping.collectDue();
    await sweeping.steps(2);
    const methods = (await sweeping.methodsOf([...addresses, ...others])).map((all) => all.at(-1));
    const funded = { method: 'funded', state: 'collected' };
    expect(methods).toMatchObject([funded, funded, funded, funded]);
    stage.nowMs += DAY_MS;
  });

  // hits mark: a-sweep-that-moves-nothing-is-not-signed
  it('are not asked for a sweep that would move nothing any more', async () => {
    const pushed = swept.slice(2, 4);
    for (const address of pushed) await sweeping.mint(address);
    await sweeping.settle();
    await sweeping.collectDue();
    for (const address of pushed) await sweeping.strangerSweeps(address);
    await stage.pay(1_000);
    expect((await sweeping.sweeps()).at(-1)).toMatchObject({ action: 'sweep', state: 'waiting' });
    await sweeping.settle();
    await stage.pay(10 * 60_000);
    await collecting.collect();
    expect((await sweeping.sweeps()).at(-1)).toMatchObject({ action: 'sweep', state: 'cancelled' });
    await collecting.collect(60_000);
    for (const address of pushed) expect(await collecting.holdings(address)).toEqual([]);
    stage.nowMs += DAY_MS;
  });

  // hits mark: an-address-of-the-pool-is-not-swept
  it('go without one that was handed back to the pool meanwhile', async () => {
    const [released = '', ...others] = await sweeping.paidOrders(3);
    const sweepGround = stage.writer.sweepGround.bind(stage.writer);
    const spy = vi.spyOn(stage.writer, 'sweepGround').mockImplementationOnce(async (...asked) => {
      await stage.database.transact((tx) =>
        // Retired, so that no later order of this file gets it.
        tx.write('UPDATE addresses SET trade_no = NULL, retired = true WHERE address = $1', [released]),
      );
      return sweepGround(...asked);
    });
    await sweeping.collectDue();
    spy.mockRestore();
    expect(await sweeping.methodsOf([released, ...others])).toMatchObject([
      [],
      [{ method: 'sponsored' }],
      [{ method: 'sponsored' }],
    ]);
    await collecting.collect(1_000);
    await sweeping.steps(2);
    expect(await sweeping.methodsOf([released])).toMatchObject([[{ method: 'funded', state: 'collected' }]]);
  });

  it('wait for no sweeper once nobody asks for it any more', async () => {
    const asked = {
      ...(({ name, family }) => ({ chain: { name, family } }))(stage.under.definition),
      nativeId: native.currencyId,
      nowMs: stage.nowMs,
      lease: TEST_LEASE,
    };
    const wallet = stage.addressOf({ account: 2, branch: 'wallet', index: 0 });
    const terms = { gasWallet: stage.wallet, wallet, account: 2, feeCap: amountOf(native.currencyId, ETHER) };
    const ids = { sweepId: 'swp_unneeded', outgoingId: 'out_unneeded' };
    await stage.database.transact((tx) => askSweeper(tx, { ...asked, ...terms, ...ids }));
    stage.refusal = 'sweep-off';
    await stage.pay(1_000);
    await stage.pay(10 * 60_000);
    stage.refusal = null;
    await collecting.collect(1_000);
    expect(await stage.row('swp_unneeded')).toMatchObject({ state: 'cancelled', variants: 0 });
  });

  // hits mark: a-sweep-costs-less-than-nodes-refuse
  it('are fewer in one transaction where all together could cost more than nodes take', async () => {
    const addresses = await sweeping.paidOrders(4);
    const estimate = stage.writer.estimate.bind(stage.writer);
    const dear = vi.spyOn(stage.writer, 'estimate').mockImplementation(async (plan) => {
      const found = await estimate(plan);
      const isDear = plan.sweeping?.type === 'sweep' && plan.sweeping.from.length > 2;
      return isDear && found.outcome === 'possible'
        ? { ...found, most: amountOf(native.currencyId, ETHER) }
        : found;
    });
    await sweeping.collectDue();
    dear.mockRestore();
    await sweeping.steps(2);
    const methods = (await sweeping.methodsOf(addresses))
      .flat()
      .map(({ method, state }) => `${method} ${state}`);
    expect(methods.toSorted()).toEqual([
      'funded collected',
      'funded collected',
      'sponsored collected',
      'sponsored collected',
    ]);
  });

  // hits mark: what-was-shown-for-coin-takes-coin
  it('are funded where a payer was shown coin before, for this order or an earlier one of the address', async () => {
    const shown = await collecting.order(native.currencyId, 1n);
    await stage.database.transact(async (tx) => {
      await tx.write(`UPDATE orders SET status = 'TIME-OUT' WHERE address = $1`, [shown]);
      await tx.write('UPDATE addresses SET trade_no = NULL WHERE address = $1', [shown]);
    });
    const addresses = await sweeping.paidOrders(3);
    expect(addresses).toContain(shown);
    await stage.database.transact((tx) =>
      tx.write(
        `INSERT INTO currency_choices (trade_no, number, at_ms, currency_id, address_id, due)
         SELECT 'ord_1', 1, 0, $2, address_id, 1 FROM addresses WHERE address = $1`,
        [addresses.find((one) => one !== shown) ?? '', native.currencyId],
      ),
    );
    await sweeping.collectDue();
    await sweeping.steps(2);
    const funded = [{ method: 'funded', state: 'collected' }];
    expect(await sweeping.methodsOf(addresses)).toMatchObject([funded, funded, funded]);
    // Removes this order, because it never had the event that ends an order.
    await stage.database.transact((tx) =>
      tx.write('DELETE FROM orders WHERE address = $1 AND currency_id = $2', [shown, native.currencyId]),
    );
  });

  // hits mark: a-sweep-is-tried-before
  it('are tried before: what a chain would not move is left out, and one without a factory makes no sweeper', async () => {
    const [address = '', other = '', used = ''] = await sweeping.paidOrders(3);
    const plan = {
      from: stage.wallet,
      to: collecting.wallet,
      currency: token,
      amount: zero(token.currencyId),
    };
    const from = [address, other, stage.wallet].map((one, index) => ({ index, address: one, nonce: 0 }));
    const tried = await stage.writer.estimate({ ...plan, sweeping: { type: 'sweep', from } });
    const moved = tried.outcome === 'possible' ? tried.swept : [];
    expect(moved?.map(unitsOf)).toEqual([sweeping.price, sweeping.price, 0n]);
    await node.chain.rpc('anvil_setCode', [SWEEPER_FACTORY.address, '0x']);
    const currency = nativeCurrency(stage.under.definition);
    const deploy = { from: stage.wallet, to: stage.wallet, currency, amount: zero(native.currencyId) };
    const made = await stage.writer.estimate({ ...deploy, sweeping: { type: 'deploy' } });
    expect(made).toMatchObject({ outcome: 'impossible' });
    // An address with other code is neither authorised nor swept. Nor is an address whose authorisation was revoked.
    await node.chain.rpc('anvil_setCode', [other, `0xef0100${'12'.repeat(20)}`]);
    await node.chain.rpc('anvil_setNonce', [used, '0x2']);
    await sweeping.settle();
    await sweeping.collectDue();
    await sweeping.steps(2);
    expect(await sweeping.methodsOf([address, other, used])).toMatchObject([
      [{ method: 'funded', state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
    ]);
  });
});
