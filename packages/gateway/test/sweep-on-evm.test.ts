// Deposit addresses on a real EVM dev chain are emptied together where that costs less, each proven by its own transfers.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import { Killed } from '@ducat/testkit/payer/pay-stage';
import { ETHER, SweepStage } from '@ducat/testkit/payer/sweep-stage';
import { readOutgoingOf } from '../src/db/reports/dashboard/money/outgoing-story.ts';
import { readGasUse } from '../src/db/reports/gas-use.ts';
import { raiseWalls, walledReader } from '../src/db/tables/access/walls.ts';
import { readUnderway } from '../src/db/tables/collections/collections.ts';

let sweeping: SweepStage;
let node: SweepStage['node'];
let stage: SweepStage['stage'];
let collecting: SweepStage['collecting'];
let native: SweepStage['native'];

beforeAll(async () => {
  sweeping = await SweepStage.open();
  ({ node, stage, collecting, native } = sweeping);
});
afterEach(async () => {
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await sweeping?.close();
});

describe('addresses of tokens', () => {
  let swept: readonly string[] = [];

  it('are emptied by one transaction, once it earns what making the sweeper costs', async () => {
    swept = await sweeping.paidOrders(10);
    await sweeping.collectDue();
    expect(await sweeping.sweeps()).toMatchObject([{ action: 'deploy', state: 'waiting', units: '0' }]);
    const [first] = await collecting.holdings(swept[0] ?? '');
    expect(first).toMatchObject({ state: 'waiting', reason: 'its sweeper is being made' });
    await stage.pay(1_000);
    await sweeping.settle();
    await collecting.collect(60_000);
    expect(await sweeping.sweeps()).toMatchObject([
      { state: 'succeeded' },
      { action: 'sweep', state: 'waiting' },
    ]);
    await sweeping.step();
    expect(await sweeping.sweeps()).toMatchObject([
      {},
      { state: 'succeeded', units: `${10n * sweeping.price}` },
    ]);
    for (const address of swept) {
      expect(await collecting.collections(address)).toEqual([
        { method: 'sponsored', state: 'collected', units: `${sweeping.price}` },
      ]);
      expect(await collecting.holdings(address)).toEqual([]);
      expect(await stage.held(address, native)).toBe(0n);
    }
    expect(await stage.held(collecting.wallet)).toBe(10n * sweeping.price);
    expect([await sweeping.custody(collecting.wallet), await sweeping.custody(null)]).toEqual([
      10n * sweeping.price,
      0n,
    ]);
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
    // The day's budget also counts the fee for deploying the sweeper.
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
    await sweeping.mint(again);
    await sweeping.mint(pushed);
    const [fresh = ''] = await sweeping.paidOrders(1);
    const wallet = await stage.held(collecting.wallet);
    const nonces = await Promise.all([again, pushed].map((address) => node.nonceOf(address)));
    await sweeping.strangerSweeps(pushed);
    await sweeping.settle();
    expect(await sweeping.custody(collecting.wallet)).toBe(wallet + sweeping.price);
    await sweeping.collectDue();
    // A stranger's sweep is no attempt of ours, so no collection is left waiting.
    expect(await collecting.collections(pushed)).toHaveLength(1);
    expect(await collecting.holdings(pushed)).toEqual([]);
    // The next stranger sweeps while our own sweep is under way.
    await sweeping.strangerSweeps(again);
    await sweeping.step();
    expect(await sweeping.methodsOf([again, fresh])).toMatchObject([
      [{}, { method: 'sponsored', state: 'failed' }],
      [{ method: 'sponsored', state: 'collected' }],
    ]);
    await collecting.collect(60 * 60_000);
    expect(await collecting.collections(again)).toHaveLength(2);
    expect(await collecting.holdings(again)).toEqual([]);
    expect(await stage.held(collecting.wallet)).toBe(wallet + 3n * sweeping.price);
    expect([await sweeping.custody(collecting.wallet), await sweeping.custody(null)]).toEqual([
      wallet + 3n * sweeping.price,
      0n,
    ]);
    expect(await Promise.all([again, pushed].map((address) => node.nonceOf(address)))).toEqual(nonces);
    // By the sweeper's fallback each address can still be collected alone, of a token and of coin.
    await sweeping.mint(again);
    await sweeping.settle();
    await sweeping.collectDue();
    await sweeping.steps(2);
    expect((await collecting.collections(again)).at(-1)).toMatchObject({
      method: 'funded',
      state: 'collected',
    });
    await node.send({ to: again, value: ETHER });
    await sweeping.settle();
    await sweeping.collectDue();
    await sweeping.step();
    expect((await collecting.collections(again)).at(-1)).toMatchObject({
      method: 'native',
      state: 'collected',
    });
    expect(await stage.held(again, native)).toBe(0n);
    expect(await stage.troubles()).toEqual([]);
  });

  // hits mark: an-address-in-one-sweep
  // hits mark: only-what-the-books-hold-is-swept
  it('are emptied once wherever the process dies, and a fork that drops the sweep changes nothing', async () => {
    const before = await stage.held(collecting.wallet);
    const addresses = await sweeping.paidOrders(3);
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
    expect(await sweeping.delegate(addresses[0] ?? '')).not.toBe('0x');
    await node.chain.reorg(1);
    expect(await sweeping.delegate(addresses[0] ?? '')).toBe('0x');
    await stage.watch();
    await live(() => stage.pay(60_000));
    await sweeping.settle();
    await live(() => collecting.collect(1_000));
    for (const address of addresses)
      expect(await collecting.collections(address)).toMatchObject([
        { method: 'sponsored', state: 'collected', units: `${sweeping.price}` },
      ]);
    expect(await stage.held(collecting.wallet)).toBe(before + 3n * sweeping.price);
  });
});
