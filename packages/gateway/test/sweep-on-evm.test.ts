// Deposit addresses on a real EVM dev chain are emptied together where that costs less, each proven by its own transfers.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { amountOf, unitsOf, zero } from '@ducat/core/money/amount';
import { SWEEPER_FACTORY } from '@ducat/core/collection/sweeper';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { CollectStage } from '@ducat/testkit/payer/collect-stage';
import { Killed, PayStage } from '@ducat/testkit/payer/pay-stage';
import type { Currency } from '@ducat/core/chain/currency';
import { TEST_LEASE } from '@ducat/testkit/fixtures';
import { readOutgoingOf } from '../src/db/reports/dashboard/money/outgoing-story.ts';
import { readGasUse } from '../src/db/reports/gas-use.ts';
import { raiseWalls, walledReader } from '../src/db/tables/access/walls.ts';
import { readUnderway } from '../src/db/tables/collections/collections.ts';
import { Outage } from '../src/runtime/outage.ts';
import { askSweeper } from '../src/flows/collections/ask-sweeper.ts';

let node: AnvilPayer;
let stage: PayStage;
let collecting: CollectStage;
let native: Currency;
let token: Currency;

const word = (value: string | bigint): string => value.toString(16).replace('0x', '').padStart(64, '0');
const ether = 10n ** 18n;
const PRICE = 500_000_000n;
const DAY_MS = 24 * 60 * 60_000;

beforeAll(async () => {
  node = await AnvilPayer.start();
  native = { ...testCurrency(1000, null, 18), rateAsset: 'ETH' };
  token = { ...testCurrency(1001, await node.deploy(tokenCode())), rateAsset: 'USDT' };
  const definition = testDefinition({ currencies: [native, token] });
  stage = await PayStage.open({
    definition,
    token,
    rpcUrls: [node.chain.rpcUrl],
    mine: (count) => node.chain.mine(count),
    fund: (wallet) => node.sendAndMine({ to: wallet, value: 10n * ether }),
  });
  collecting = await CollectStage.open(stage);
  collecting.policy = { ...collecting.policy, sponsored: true };
  await settle();
});
afterEach(async () => {
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await stage?.close();
  await node?.chain.stop();
});

const settle = () => stage.mine(6);

async function mint(to: string, units = PRICE): Promise<void> {
  await node.send({ to: token.contract ?? '', data: `0x${mintSelector}${word(to)}${word(units)}` });
}

/** Addresses of orders in the token, each paid. */
async function paidOrders(count: number): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (let order = 0; order < count; order++) {
    const address = await collecting.order(token.currencyId, PRICE);
    await mint(address);
    addresses.push(address);
  }
  await settle();
  return addresses;
}

/** Windows end together, so all that was paid is due after two of them. */
const collectDue = () => collecting.collect(2 * collecting.policy.windowMs);

async function step(): Promise<void> {
  await stage.pay(1_000);
  await settle();
  await collecting.collect(1_000);
}

/** By anybody: what lies at an address that delegates to its sweeper. */
async function strangerSweeps(address: string): Promise<void> {
  await node.sendAndMine({ to: address, data: `0x01681a62${word(token.contract ?? '')}` });
}

const methodsOf = async (addresses: readonly string[]) =>
  Promise.all(addresses.map((address) => collecting.collections(address)));

interface SweepRow {
  readonly subject_id: string;
  readonly action: string;
  readonly state: string;
  readonly units: string;
}

const sweeps = () =>
  stage.database.reader.read<SweepRow>(
    `SELECT subject_id, action, state, units::text FROM outgoing_transactions WHERE action IN ('sweep', 'deploy')
     ORDER BY created_at_ms`,
    [],
  );

async function custody(wallet: string | null): Promise<bigint> {
  const [row] = await stage.database.reader.read<{ units: string }>(
    `SELECT (-balance)::text AS units FROM accounts WHERE kind = 'custody' AND owner = $1 AND currency_id = $2`,
    [wallet === null ? 'TEST' : `TEST/${wallet}`, token.currencyId],
  );
  return BigInt(row?.units ?? 0);
}

const delegate = async (address: string): Promise<string> =>
  String(await node.chain.rpc('eth_getCode', [address, 'latest']));

describe('addresses of tokens', () => {
  let swept: readonly string[] = [];

  it('are emptied by one transaction, once it earns what making the sweeper costs', async () => {
    swept = await paidOrders(10);
    await collectDue();
    expect(await sweeps()).toMatchObject([{ action: 'deploy', state: 'waiting', units: '0' }]);
    const [first] = await collecting.holdings(swept[0] ?? '');
    expect(first).toMatchObject({ state: 'waiting', reason: 'its sweeper is being made' });
    await stage.pay(1_000);
    await settle();
    await collecting.collect(60_000);
    expect(await sweeps()).toMatchObject([{ state: 'succeeded' }, { action: 'sweep', state: 'waiting' }]);
    await step();
    expect(await sweeps()).toMatchObject([{}, { state: 'succeeded', units: `${10n * PRICE}` }]);
    for (const address of swept) {
      expect(await collecting.collections(address)).toEqual([
        { method: 'sponsored', state: 'collected', units: `${PRICE}` },
      ]);
      expect(await collecting.holdings(address)).toEqual([]);
      expect(await stage.held(address, native)).toBe(0n);
    }
    expect(await stage.held(collecting.wallet)).toBe(10n * PRICE);
    expect([await custody(collecting.wallet), await custody(null)]).toEqual([10n * PRICE, 0n]);
  });

  it('cost the gas wallet what the books say, less than funding each', async () => {
    const { name: chain, family } = stage.under.definition;
    const query = { chain, family, nativeId: native.currencyId, sinceMs: 0 };
    const use = await readGasUse(stage.database.reader, query);
    expect(use?.held).toEqual(amountOf(native.currencyId, await stage.held(stage.wallet, native)));
    const [{ fees } = { fees: '0' }] = await stage.database.reader.read<{ fees: string }>(
      'SELECT sum(fee)::text AS fees FROM inclusions WHERE final',
      [],
    );
    expect(use?.spent).toEqual(amountOf(native.currencyId, BigInt(fees)));
    const rows = await stage.database.reader.read<{ cost: string }>('SELECT cost::text FROM collections', []);
    expect(new Set(rows.map(({ cost }) => cost)).size).toBe(1);
    // What a day may cost counts the making of the sweeper too.
    const [{ made } = { made: '0' }] = await stage.database.reader.read<{ made: string }>(
      `SELECT sum(i.fee)::text AS made FROM inclusions i JOIN outgoing_transactions o USING (chain, tx_id)
       WHERE o.action = 'deploy'`,
      [],
    );
    const { spent } = await readUnderway(stage.database.reader, query);
    const costs = rows.reduce((sum, { cost }) => sum + BigInt(cost), 0n);
    expect(BigInt(made)).toBeGreaterThan(0n);
    expect(unitsOf(spent)).toBe(costs + BigInt(made));
  });

  it('show the one transaction in the story of each of their orders, behind the wall of the merchant too', async () => {
    const [row] = await stage.database.reader.read<{ sweep_id: string }>(
      'SELECT sweep_id FROM collections LIMIT 1',
      [],
    );
    expect(await raiseWalls(stage.database.transact)).toBeNull();
    const reader = walledReader(stage.database.transact, 'mer_1');
    const story = await readOutgoingOf(reader, ['collection'], [row?.sweep_id ?? '']);
    expect(story).toMatchObject([
      { action: 'sweep', state: 'succeeded', from: null, variants: [{ block: { status: 'succeeded' } }] },
    ]);
  });

  it('that delegate already are swept again with one that does not, and a stranger can only push', async () => {
    const [again = '', pushed = ''] = swept;
    await mint(again);
    await mint(pushed);
    const [fresh = ''] = await paidOrders(1);
    const wallet = await stage.held(collecting.wallet);
    const nonces = await Promise.all([again, pushed].map((address) => node.nonceOf(address)));
    await strangerSweeps(pushed);
    await settle();
    expect(await custody(collecting.wallet)).toBe(wallet + PRICE);
    await collectDue();
    // What was pushed is no try of ours, and waits for nothing.
    expect(await collecting.collections(pushed)).toHaveLength(1);
    expect(await collecting.holdings(pushed)).toEqual([]);
    // The next stranger comes when the sweep is under way.
    await strangerSweeps(again);
    await step();
    expect(await methodsOf([again, fresh])).toMatchObject([
      [{}, { method: 'sponsored', state: 'failed' }],
      [{ method: 'sponsored', state: 'collected' }],
    ]);
    await collecting.collect(60 * 60_000);
    expect(await collecting.collections(again)).toHaveLength(2);
    expect(await collecting.holdings(again)).toEqual([]);
    expect(await stage.held(collecting.wallet)).toBe(wallet + 3n * PRICE);
    expect([await custody(collecting.wallet), await custody(null)]).toEqual([wallet + 3n * PRICE, 0n]);
    expect(await Promise.all([again, pushed].map((address) => node.nonceOf(address)))).toEqual(nonces);
    // By the fallback each can be emptied alone, of a token and of coin, although it borrows code.
    await mint(again);
    await settle();
    await collectDue();
    for (let steps = 0; steps < 2; steps++) await step();
    expect((await collecting.collections(again)).at(-1)).toMatchObject({
      method: 'funded',
      state: 'collected',
    });
    await node.send({ to: again, value: ether });
    await settle();
    await collectDue();
    await step();
    expect((await collecting.collections(again)).at(-1)).toMatchObject({
      method: 'native',
      state: 'collected',
    });
    expect(await stage.held(again, native)).toBe(0n);
    expect(await stage.troubles()).toEqual([]);
  });

  // hits mark: counted-nonces-are-not-authorised
  // hits mark: swept-addresses-take-no-coin
  it('go alone where they may get coin, sent something before, or are only one', async () => {
    const [funded = ''] = await paidOrders(1);
    await collectDue();
    for (let steps = 0; steps < 2; steps++) await step();
    const anybody = await collecting.deposit();
    for (const address of [funded, anybody]) await mint(address);
    const [fresh = ''] = await paidOrders(1);
    const before = (await sweeps()).length;
    await collectDue();
    for (let steps = 0; steps < 2; steps++) await step();
    expect(await methodsOf([funded, anybody, fresh])).toMatchObject([
      [{ method: 'funded' }, { state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
    ]);
    expect(await sweeps()).toHaveLength(before);
    for (const address of [funded, anybody, fresh]) expect(await delegate(address)).toBe('0x');
  });

  // hits mark: a-sweep-waits-ten-minutes
  it('go alone once a sweep of them could not be signed for ten minutes', async () => {
    const addresses = await paidOrders(2);
    await collectDue();
    stage.refusal = 'sweep-off';
    await stage.pay(1_000);
    // Each time it is prepared and refused anew.
    await stage.pay(5 * 60_000);
    await collecting.collect();
    expect(await methodsOf(addresses)).toMatchObject([[{ state: 'moving' }], [{ state: 'moving' }]]);
    await stage.pay(5 * 60_000);
    stage.refusal = null;
    await collecting.collect();
    expect(await methodsOf(addresses)).toMatchObject([[{ state: 'withdrawn' }], [{ state: 'withdrawn' }]]);
    await collecting.collect(60_000);
    for (let steps = 0; steps < 2; steps++) await step();
    for (const address of addresses)
      expect(await collecting.collections(address)).toMatchObject([
        { method: 'sponsored', state: 'withdrawn' },
        { method: 'funded', state: 'collected' },
      ]);
    // For a day others of the chain do not wait for a sweep either.
    const others = await paidOrders(2);
    await collectDue();
    for (let steps = 0; steps < 2; steps++) await step();
    for (const address of others)
      expect(await collecting.collections(address)).toMatchObject([{ method: 'funded', state: 'collected' }]);
    stage.nowMs += DAY_MS;
  });

  // hits mark: a-sweep-keeps-nobody-waiting
  it('keep no other transfer waiting where no node says what a sweep would cost', async () => {
    const addresses = await paidOrders(2);
    await collectDue();
    const estimate = stage.writer.estimate.bind(stage.writer);
    const away = vi.spyOn(stage.writer, 'estimate').mockImplementation(async (plan) => {
      if ((plan.sweeping ?? null) !== null) throw new Outage('knows no changed code');
      return estimate(plan);
    });
    const other = await stage.request(`0x${'ab'.repeat(20)}`, 1n, { coin: true });
    await stage.pay(1_000);
    away.mockRestore();
    expect(await stage.row(other)).toMatchObject({ state: 'signed' });
    expect(await methodsOf(addresses)).toMatchObject([[{ state: 'moving' }], [{ state: 'moving' }]]);
    await settle();
    for (let steps = 0; steps < 2; steps++) {
      await stage.pay(2_000);
      await settle();
    }
    await collecting.collect(1_000);
    expect(await methodsOf(addresses)).toMatchObject([[{ state: 'collected' }], [{ state: 'collected' }]]);
  });

  // hits mark: a-sweep-that-moves-nothing-is-not-signed
  it('are not asked for a sweep that would move nothing any more', async () => {
    const pushed = swept.slice(2, 4);
    for (const address of pushed) await mint(address);
    await settle();
    await collectDue();
    for (const address of pushed) await strangerSweeps(address);
    await stage.pay(1_000);
    expect((await sweeps()).at(-1)).toMatchObject({ action: 'sweep', state: 'waiting' });
    await settle();
    await stage.pay(10 * 60_000);
    await collecting.collect();
    expect((await sweeps()).at(-1)).toMatchObject({ action: 'sweep', state: 'cancelled' });
    await collecting.collect(60_000);
    for (const address of pushed) expect(await collecting.holdings(address)).toEqual([]);
    stage.nowMs += DAY_MS;
  });

  // hits mark: an-address-of-the-pool-is-not-swept
  it('go without one that was handed back to the pool meanwhile', async () => {
    const [released = '', ...others] = await paidOrders(3);
    const sweepGround = stage.writer.sweepGround.bind(stage.writer);
    const spy = vi.spyOn(stage.writer, 'sweepGround').mockImplementationOnce(async (...asked) => {
      await stage.database.transact((tx) =>
        // Retired, so that no later order of this file gets it.
        tx.write('UPDATE addresses SET trade_no = NULL, retired = true WHERE address = $1', [released]),
      );
      return sweepGround(...asked);
    });
    await collectDue();
    spy.mockRestore();
    expect(await methodsOf([released, ...others])).toMatchObject([
      [],
      [{ method: 'sponsored' }],
      [{ method: 'sponsored' }],
    ]);
    await collecting.collect(1_000);
    for (let steps = 0; steps < 2; steps++) await step();
    expect(await methodsOf([released])).toMatchObject([[{ method: 'funded', state: 'collected' }]]);
  });

  it('wait for no sweeper once nobody asks for it any more', async () => {
    const asked = {
      ...(({ name, family }) => ({ chain: { name, family } }))(stage.under.definition),
      nativeId: native.currencyId,
      nowMs: stage.nowMs,
      lease: TEST_LEASE,
    };
    const wallet = stage.addressOf({ account: 2, branch: 'wallet', index: 0 });
    const terms = { gasWallet: stage.wallet, wallet, account: 2, feeCap: amountOf(native.currencyId, ether) };
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
    const addresses = await paidOrders(4);
    const estimate = stage.writer.estimate.bind(stage.writer);
    const dear = vi.spyOn(stage.writer, 'estimate').mockImplementation(async (plan) => {
      const found = await estimate(plan);
      const isDear = plan.sweeping?.type === 'sweep' && plan.sweeping.from.length > 2;
      return isDear && found.outcome === 'possible'
        ? { ...found, most: amountOf(native.currencyId, ether) }
        : found;
    });
    await collectDue();
    dear.mockRestore();
    for (let steps = 0; steps < 2; steps++) await step();
    const methods = (await methodsOf(addresses)).flat().map(({ method, state }) => `${method} ${state}`);
    expect(methods.toSorted()).toEqual([
      'funded collected',
      'funded collected',
      'sponsored collected',
      'sponsored collected',
    ]);
  });

  // hits mark: swept-addresses-take-no-coin
  it('are funded where the payer was shown coin before', async () => {
    const addresses = await paidOrders(2);
    await stage.database.transact((tx) =>
      tx.write(
        `INSERT INTO currency_choices (trade_no, number, at_ms, currency_id, address_id, due)
         SELECT trade_no, 1, 0, $2, address_id, 1 FROM addresses WHERE address = $1`,
        [addresses[0] ?? '', native.currencyId],
      ),
    );
    await collectDue();
    for (let steps = 0; steps < 2; steps++) await step();
    expect(await methodsOf(addresses)).toMatchObject([
      [{ method: 'funded', state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
    ]);
  });

  // hits mark: an-address-in-one-sweep
  // hits mark: only-what-the-books-hold-is-swept
  it('are emptied once wherever the process dies, and a fork that drops the sweep changes nothing', async () => {
    const before = await stage.held(collecting.wallet);
    const addresses = await paidOrders(3);
    stage.nowMs += 2 * collecting.policy.windowMs;
    const live = async (work: () => Promise<void>) => {
      for (let lives = 0; ; lives++) {
        stage.lives = lives;
        const death = await work().catch((error: unknown) => error);
        stage.restart();
        if (death === undefined) return;
        expect(death).toBeInstanceOf(Killed);
        stage.nowMs += 60_000;
      }
    };
    await live(() => collecting.collect());
    await live(() => stage.pay(1_000));
    await stage.mine(1);
    expect(await delegate(addresses[0] ?? '')).not.toBe('0x');
    await node.chain.reorg(1);
    expect(await delegate(addresses[0] ?? '')).toBe('0x');
    await stage.watch();
    await live(() => stage.pay(60_000));
    await settle();
    await live(() => collecting.collect(1_000));
    for (const address of addresses)
      expect(await collecting.collections(address)).toMatchObject([
        { method: 'sponsored', state: 'collected', units: `${PRICE}` },
      ]);
    expect(await stage.held(collecting.wallet)).toBe(before + 3n * PRICE);
  });

  // hits mark: a-sweep-is-tried-before
  it('are tried before: what a chain would not move is left out, and one without a factory makes no sweeper', async () => {
    const [address = '', other = '', used = ''] = await paidOrders(3);
    const plan = {
      from: stage.wallet,
      to: collecting.wallet,
      currency: token,
      amount: zero(token.currencyId),
    };
    const from = [address, other, stage.wallet].map((one, index) => ({ index, address: one, nonce: 0 }));
    const tried = await stage.writer.estimate({ ...plan, sweeping: { type: 'sweep', from } });
    const moved = tried.outcome === 'possible' ? tried.swept : [];
    expect(moved?.map(unitsOf)).toEqual([PRICE, PRICE, 0n]);
    await node.chain.rpc('anvil_setCode', [SWEEPER_FACTORY.address, '0x']);
    const currency = nativeCurrency(stage.under.definition);
    const deploy = { from: stage.wallet, to: stage.wallet, currency, amount: zero(native.currencyId) };
    const made = await stage.writer.estimate({ ...deploy, sweeping: { type: 'deploy' } });
    expect(made).toMatchObject({ outcome: 'impossible' });
    // One that has other code is neither authorised nor swept, nor one whose delegation was taken back.
    await node.chain.rpc('anvil_setCode', [other, `0xef0100${'12'.repeat(20)}`]);
    await node.chain.rpc('anvil_setNonce', [used, '0x2']);
    await settle();
    await collectDue();
    for (let steps = 0; steps < 2; steps++) await step();
    expect(await methodsOf([address, other, used])).toMatchObject([
      [{ method: 'funded', state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
      [{ method: 'funded', state: 'collected' }],
    ]);
  });
});
