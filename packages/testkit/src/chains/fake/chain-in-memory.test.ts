// The fake chain keeps its promises: the same seed gives the same chain, and every trouble is there on demand.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import type { Currency } from '@ducat/core/chain/currency';
import { assert } from '@ducat/core/assert';
import { unitsOf } from '@ducat/core/money/amount';
import { createHandClock } from '../../hand-clock.ts';
import { describe, expect, it } from 'vitest';
import type { BlockQuery } from '@ducat/gateway/chains/port/reader';
import { createFakeChain, type FakeChain } from './chain-in-memory.ts';
import type { FakeTransaction } from './blocks-in-memory.ts';

const coin = currencyOf(eth, 0);
const token = currencyOf(eth, 1);

function currencyOf({ currencies }: ChainDefinition, place: number): Currency {
  const currency = currencies[place];
  assert(currency !== undefined, 'the chain has that currency');
  return currency;
}

function start(definition = eth): FakeChain {
  return createFakeChain({ definition, seed: 1, startTime: 1_700_000_000, world: createHandClock(0) });
}

function pay(to: string, units = 1n, currency: Currency = token): FakeTransaction {
  return { txId: `tx-${to}`, transfers: [{ currencyId: currency.currencyId, from: 'payer', to, units }] };
}

const query: BlockQuery = { currencies: [coin, token], txIds: new Set(['tx-a']) };

describe('the chain in memory', () => {
  it('is the same for the same seed and the same calls', () => {
    const [one, other] = [start(), start()].map((chain) => chain.mine([pay('a')]));
    expect(one).toEqual(other);
    expect(one).toMatchObject({ number: 1, parentHash: start().header(0).hash, time: 1_700_000_012 });
  });

  it('shows transfers, inclusions and balances, and an internal transaction in its trace alone', async () => {
    const chain = start();
    const internal = {
      currencyId: coin.currencyId,
      from: 'contract',
      to: 'b',
      units: 7n,
      kind: 'internal',
    } as const;
    const header = chain.mine([
      pay('a', 5n),
      { txId: 'tx-b', transfers: [internal, { ...internal, units: 2n, kind: 'hidden' }] },
      { ...pay('c'), failed: true, payer: 'a', feeUnits: 3n },
    ]);
    const block = await chain.reader.block(1, query);
    expect(block).toMatchObject({ header, isProven: true, proposals: [], inclusions: [{ txId: 'tx-a' }] });
    expect(block?.transfers.map(({ to, position }) => [to, position])).toEqual([['a', 'log:0']]);
    expect(await chain.reader.internalTransfers(header, ['b'])).toMatchObject([{ to: 'b', txId: 'tx-b' }]);
    const [report] = await chain.reader.balances(['a', 'b', 'c'], coin, header, 1);
    expect(report?.amounts.map(unitsOf)).toEqual([-3n, 9n, 0n]);
    expect(chain.balance('a', token.currencyId)).toBe(5n);
  });

  it('replaces its newest blocks, and goes on as a branch beside itself', () => {
    const chain = start();
    chain.mineEmpty(5);
    const branch = chain.split(1);
    const [replaced] = chain.fork(2, [[pay('a')], [], []]);
    expect(chain.height).toBe(6);
    expect(replaced?.parentHash).toBe(branch.header(3).hash);
    expect(branch.mine().parentHash).toBe(branch.header(4).hash);
    expect(chain.header(5).hash).not.toBe(branch.header(5).hash);
    expect(() => chain.fork(3, [])).toThrow('a final block is never undone');
    expect([chain.balance('a', token.currencyId), branch.balance('a', token.currencyId)]).toEqual([1n, 0n]);
  });

  it('is final a little behind its head, until that stalls', async () => {
    const chain = start();
    chain.mineEmpty(5);
    expect(await chain.main.finalHeight()).toBe(3);
    chain.stallFinality(true);
    chain.mineEmpty(5);
    expect(await chain.main.finalHeight()).toBe(3);
  });
});

describe('a fake provider', () => {
  it('of Tron has proposals, the balances of its final block alone, and blocks that prove nothing', async () => {
    const chain = start(tron);
    const trx = currencyOf(tron, 0);
    const transfer = {
      currencyId: trx.currencyId,
      from: 'contract',
      to: 'b',
      units: 7n,
      kind: 'internal',
    } as const;
    const header = chain.mine([{ transfers: [transfer] }]);
    const asked = { currencies: [trx], txIds: new Set<string>() };
    expect(await chain.main.block(1, asked)).toMatchObject({
      isProven: false,
      proposals: [{ to: 'b' }],
    });
    expect(await chain.main.finalBlock(1, asked)).toBeNull();
    await expect(chain.main.balances(['b'], trx, header)).rejects.toMatchObject({ kind: 'not-yet' });
    chain.mineEmpty(3);
    expect(await chain.main.finalBlock(1, asked)).toEqual(await chain.main.block(1, asked));
    expect(await chain.main.balances(['b'], trx, header)).toMatchObject({ at: 2 });
  });

  it('fails, lags, lies and follows a branch on demand', async () => {
    const chain = start();
    const provider = chain.provider('b');
    chain.mineEmpty(4);
    provider.failNext(1, { method: 'head', kind: 'throttled' });
    expect(await provider.header(4)).toEqual(chain.header(4));
    await expect(provider.head()).rejects.toMatchObject({ kind: 'throttled' });
    expect(await provider.head()).toBe(4);
    provider.setLag(2);
    expect([await provider.head(), await provider.header(3)]).toEqual([2, null]);
    provider.lie({ head: (head) => head + 100, block: () => null });
    expect([await provider.head(), await provider.block(1, query)]).toEqual([102, null]);
    provider.lie();
    const branch = chain.split(3);
    branch.mineEmpty(6);
    provider.follow(branch);
    expect([await provider.head(), await provider.header(2)]).toEqual([5, branch.header(2)]);
    expect(await provider.headerByHash(chain.header(2).hash)).toBeNull();
    expect([provider.calls('head'), provider.calls()]).toEqual([5, 10]);
  });

  it('takes its time, or gives no answer until the timeout of its reader', async () => {
    const clock = createHandClock(0);
    const chain = createFakeChain({ definition: eth, seed: 1, startTime: 0, world: clock });
    chain.main.setLatency(300, 'head');
    const slow = chain.main.head();
    clock.advance(300);
    expect(await slow).toBe(0);
    chain.main.stall(true);
    const stalled = chain.main.finalHeight();
    clock.advance(20_000);
    await expect(stalled).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
