// Blocks that do not prove themselves become final by what a quorum reports of them, whatever was read before.
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, describe, expect, it } from 'vitest';
import { insertApp, insertTestOrder, plainAddress, USDT } from '@ducat/testkit/fixtures';
import { WatchStage } from '@ducat/testkit/watcher/watch-stage';
import type { FakeLies, FakeProvider } from '@ducat/testkit/chains/fake/fake-provider';
import type { FakeProviderOptions } from '@ducat/testkit/chains/fake/honest-provider';
import type { ChainBlock } from '../../chains/port/reader.ts';
import { auditBooks } from '../../db/reports/audit.ts';
import { fillAddressPool } from '../../flows/addresses/fill-address-pool.ts';
import { Outage } from '../../runtime/outage.ts';

let stage: WatchStage;
let address: string;
let all: FakeProvider[];
afterEach(() => stage.close());

/** Providers of a chain whose blocks do not prove themselves, and an order; one block is read. */
async function begin(count: number, options: FakeProviderOptions = {}): Promise<void> {
  all = [];
  stage = await WatchStage.open({
    providers: (chain) => {
      for (let place = 0; place < count; place++)
        all.push(chain.provider(`p${place}`, { isProven: false, hasProposals: false, ...options }));
      return all;
    },
  });
  ({ address } = await insertTestOrder(stage.database));
  await stage.mine(1);
}

const pay = (units = 10_000_000n) => ({
  transfers: [{ currencyId: USDT, from: '0xpayer', to: address, units }],
});

type Change = (block: ChainBlock) => ChainBlock;
const honest: Change = (block) => block;
const withUnits =
  (units: bigint): Change =>
  (block) => ({
    ...block,
    transfers: block.transfers.map((one) => ({ ...one, amount: amountOf(USDT, units) })),
  });
const empty: Change = (block) => ({ ...block, transfers: [] });
const forged: Change = (block) =>
  block.header.number === 4
    ? {
        ...block,
        transfers: [
          {
            chain: 'ETH',
            txId: '0xforged',
            position: 'log:0',
            from: '0xpayer',
            to: address,
            amount: amountOf(USDT, 99_000_000n),
            block: block.header,
          },
        ],
      }
    : block;

/** What is read at the head, and what is reported of final blocks. */
const lies = (head: Change, final: Change): FakeLies => ({
  block: (block, number) => block && (number <= stage.chain.finalHeight ? final(block) : head(block)),
  finalBlock: (block) => block && final(block),
});

describe('a block that does not prove itself', () => {
  it.each<readonly [string, number, Change, Change, readonly string[], number]>([
    ['by one provider: right', 1, honest, honest, ['final 10000000'], 0],
    ['by one provider: read with more', 1, withUnits(99n), honest, ['final 10000000'], 1],
    ['by one provider: read with less', 1, withUnits(1n), honest, ['final 10000000'], 1],
    ['by one provider: read without it', 1, empty, honest, ['final 10000000'], 1],
    ['by one provider: read with another one', 1, forged, honest, ['final 10000000', 'orphaned 99000000'], 1],
    ['one of three lies at the head', 3, withUnits(99n), honest, ['final 10000000'], 1],
    ['one of three lies of what is final', 3, honest, withUnits(99n), ['final 10000000'], 0],
    ['one of three lies of both', 3, withUnits(99n), withUnits(99n), ['final 10000000'], 1],
    ['one of three hides it in both', 3, empty, empty, ['final 10000000'], 1],
    ['one of two lies of both', 2, withUnits(99n), withUnits(99n), ['seen 99'], 0],
  ])('%s', async (_, count, head, final, transfers, undone) => {
    await begin(count);
    all[0]?.lie(lies(head, final));
    stage.chain.mine([pay()]);
    await stage.mine(8);
    expect(await stage.transfers()).toEqual(transfers);
    expect(await stage.reorgs()).toBe(undone);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
    if (count === 2) expect(stage.outages).toContain('disagreement');
  });

  // hits mark: nothing-final-unread
  it('is read again where a quorum reports another block below a final one of ours', async () => {
    await begin(1);
    let times = 1;
    all[0]?.lie({
      finalBlock: (block, number) => {
        if (number !== 2 || block === null || times-- <= 0) return block;
        return { ...block, header: { ...block.header, hash: '0xother' } };
      },
    });
    stage.chain.mine([pay()]);
    await stage.mine(6);
    expect(stage.logged).toContain(
      'error a quorum reports something else of this final block than was read of it',
    );
    expect(await stage.reorgs()).toBe(1);
    expect(await stage.transfers()).toEqual(['final 10000000']);
  });

  it('that nobody reports holds up itself and what is above it, and nothing below', async () => {
    await begin(1);
    stage.chain.stallFinality(true);
    const number = 5;
    for (const units of [1n, 2n, 3n]) {
      stage.chain.mine([pay(units)]);
      await stage.mine(1);
    }
    all[0]?.lie({
      finalBlock: (block, at) => {
        if (at === number - 1) throw new Outage('cannot show it', { kind: 'invalid' });
        return block;
      },
    });
    stage.chain.stallFinality(false);
    await stage.mine(6);
    expect(await stage.transfers()).toEqual(['final 1', 'seen 2', 'seen 3']);
    expect((await stage.cursor()).finalNumber).toBe(number - 2);
    all[0]?.lie();
    await stage.mine(2);
    expect(await stage.transfers()).toEqual(['final 1', 'final 2', 'final 3']);
  });

  it('is compared sixteen at a time, however many became final at once', async () => {
    await begin(1);
    stage.chain.stallFinality(true);
    await stage.mine(40);
    stage.chain.mine([pay()]);
    await stage.mine(5);
    stage.chain.stallFinality(false);
    stage.nowMs += 60_000;
    const before = all[0]?.calls('finalBlock') ?? 0;
    await stage.step();
    expect((all[0]?.calls('finalBlock') ?? 0) - before).toBeLessThanOrEqual(16);
    await stage.steps(5, 15_000);
    expect(await stage.transfers()).toEqual(['final 10000000']);
  });

  it('is credited once to an address that became ours after it was read', async () => {
    await begin(1);
    await insertApp(stage.database, { appId: 'app_2', account: 2, addresses: 0 });
    const to = plainAddress('key2', 0);
    const transfers = [{ currencyId: USDT, from: '0xpayer', to, units: 10_000_000n }];
    stage.chain.mine([{ transfers }]);
    await stage.mine(1);
    expect(await stage.transfers()).toEqual([]);
    const fill = { appId: 'app_2', family: 'evm', derive: plainAddress, target: 1 } as const;
    await stage.database.transact((tx) => fillAddressPool(tx, fill));
    await insertTestOrder(stage.database, { appId: 'app_2', tradeNo: 'ord_2' });
    await stage.mine(6);
    expect(await stage.transfers()).toEqual(['final 10000000']);
    expect(await stage.reorgs()).toBe(1);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
  });
});

it('a block that proves itself is not read a second time', async () => {
  await begin(1, { isProven: true });
  await stage.mine(8);
  expect(all[0]?.calls('finalBlock')).toBe(0);
  expect((await stage.cursor()).finalNumber).toBe(7);
});

describe('one of three serves a true block whose header does not prove itself, upon a false one that does', () => {
  /** Block 4 is made up and pays the order. Block 5 is true, but its header names the false block 4 as its parent. */
  const liesBelow = (change: (block: ChainBlock) => ChainBlock): FakeLies => ({
    block: (block) => {
      if (block?.header.number === 4) {
        const header = { ...block.header, hash: '0xfalse' };
        const [amount, txId] = [amountOf(USDT, 10_000_000n), '0xtrue'];
        const credit = { chain: 'ETH', txId, position: 'log:0', from: '0xpayer', to: address, amount };
        return change({ ...block, header, transfers: [{ ...credit, block: header }] });
      }
      if (block?.header.number === 5)
        return { ...block, isProven: false, header: { ...block.header, parentHash: '0xfalse' } };
      return block;
    },
  });

  it.each<readonly [string, Change]>([
    ['that proves its contents', honest],
    ['that does not', (block) => ({ ...block, isProven: false })],
  ])('%s', async (_, change) => {
    await begin(3, { isProven: true });
    await stage.mine(2);
    stage.chain.stallFinality(true);
    all[0]?.lie(liesBelow(change));
    await stage.mine(3);
    expect(await stage.transfers()).toEqual(['seen 10000000']);
    stage.chain.stallFinality(false);
    stage.nowMs += 60_000;
    await stage.mine(6);
    expect(await stage.transfers()).toEqual(['orphaned 10000000']);
    expect((await stage.cursor()).finalNumber).toBe(10);
  });

  it('and what it shows there comes once more upon it', async () => {
    await begin(3, { isProven: true });
    await stage.mine(2);
    all[0]?.lie(liesBelow(honest));
    await stage.mine(2);
    stage.chain.mine([{ ...pay(), txId: '0xtrue' }]);
    await stage.mine(6);
    expect(await stage.transfers()).toEqual(['final 10000000']);
    expect((await stage.cursor()).head?.number).toBe(12);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
  });

  it('and to be of another time', async () => {
    await begin(3, { isProven: true });
    await stage.mine(2);
    all[0]?.lie({
      block: (block) =>
        block?.header.number === 4
          ? { ...block, isProven: false, header: { ...block.header, time: block.header.time + 1_000_000 } }
          : block,
    });
    await stage.mine(6);
    expect((await stage.cursor()).finalNumber).toBe(7);
    const rows = await stage.database.reader.read<{ time: number }>(
      'SELECT time FROM blocks WHERE number = 4',
      [],
    );
    expect(rows).toEqual([{ time: stage.chain.header(4).time }]);
  });
});
