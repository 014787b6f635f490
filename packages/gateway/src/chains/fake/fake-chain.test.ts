// The fake chain itself: the same every time, and with every trouble that a test asks for.
import { unitsOf } from '@ducat/core/money/amount';
import { describe, expect, it } from 'vitest';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { createFakeChain, type FakeChain } from './fake-chain.ts';

const token = testCurrency(1001, `0x${'cc'.repeat(20)}`);
const definition = testDefinition({ currencies: [testCurrency(1000, null, 18), token] });
const pay = (to: string, units = 5n, from = 'payer') => ({
  movements: [{ currencyId: 1001, from, to, units }],
});

function start(seed = 1): FakeChain {
  return createFakeChain({ definition, seed, startTime: 1_000 });
}

describe('the fake chain', () => {
  it('is the same for the same seed and another for another', async () => {
    const chains = [start(1), start(1), start(2)];
    for (const chain of chains) chain.mine([pay('a'), pay('b')]);
    const [first, same, different] = await Promise.all(chains.map(({ port }) => port.readBlock(1, [token])));
    expect(first).toEqual(same);
    expect(first?.header.hash).not.toBe(different?.header.hash);
    expect(first?.header.hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(first?.header.time).toBe(1_001);
  });

  it('forks: other hashes, transfers moved or dropped, never below what is final', async () => {
    const chain = start();
    const payment = { ...pay('a'), txId: '0x77' };
    chain.mine();
    const before = chain.mine([payment]);
    const [after] = chain.fork(1, [[], [pay('b'), payment]]);
    expect(after).toMatchObject({ number: before.number, parentHash: before.parentHash });
    expect(after?.hash).not.toBe(before.hash);
    expect((await chain.port.readBlock(2, [token]))?.transfers).toEqual([]);
    expect((await chain.port.readBlock(3, [token]))?.transfers[1]).toMatchObject({
      txId: '0x77',
      position: 'log:0',
    });
    expect(() => chain.fork(3, [])).toThrow('a final block is never undone');
  });

  it('stalls finality, and goes on where it should be', async () => {
    const chain = start();
    for (let mined = 0; mined < 5; mined++) chain.mine();
    chain.stallFinality(true);
    for (let mined = 0; mined < 5; mined++) chain.mine();
    expect((await chain.port.finalBlock(10))?.number).toBe(3);
    chain.stallFinality(false);
    expect((await chain.port.finalBlock(10))?.number).toBe(8);
    expect((await chain.port.finalBlock(4))?.number).toBe(4);
    expect(await chain.port.finalBlock(-1)).toBeNull();
  });
});

describe('the fake chain on demand', () => {
  it('fails as often as it is told, where it is told', async () => {
    const chain = start();
    chain.failNext(2, { method: 'head', retryable: false });
    expect(await chain.port.readBlock(0, [])).not.toBeNull();
    await expect(chain.port.head()).rejects.toMatchObject({ name: 'Outage', retryable: false });
    await expect(chain.port.head()).rejects.toThrow('fails on demand');
    expect(chain.port.health()[0]?.healthy).toBe(false);
    expect(await chain.port.head()).toBe(0);
    expect(chain.port.health()[0]?.healthy).toBe(true);
  });

  it('lags: blocks are there and are not shown', async () => {
    const chain = start();
    chain.mine();
    chain.mine([pay('a')]);
    chain.setLag(1);
    expect(await chain.port.head()).toBe(1);
    expect(await chain.port.readBlock(2, [token])).toBeNull();
    expect(await chain.port.headers(0, 9)).toHaveLength(2);
    chain.setLag(0);
    expect((await chain.port.readBlock(2, [token]))?.transfers).toHaveLength(1);
  });

  it('lies as it is told', async () => {
    const chain = start();
    chain.mine([pay('a')]);
    chain.lie({ head: (height) => height - 1, readBlock: (block) => block && { ...block, transfers: [] } });
    expect(await chain.port.head()).toBe(0);
    expect((await chain.port.readBlock(1, [token]))?.transfers).toEqual([]);
    chain.lie();
    expect((await chain.port.readBlock(1, [token]))?.transfers).toHaveLength(1);
  });

  it('knows balances at a block, and refuses a block that is not there', async () => {
    const chain = start();
    const first = chain.mine([pay('a', 5n)]);
    const second = chain.mine([pay('b', 2n, 'a')]);
    expect((await chain.port.balances(['a', 'b'], token, first)).map(unitsOf)).toEqual([5n, 0n]);
    expect((await chain.port.balances(['b', 'a'], token, second)).map(unitsOf)).toEqual([2n, 3n]);
    await expect(chain.port.balances(['a'], token, { number: 1, hash: '0x0' })).rejects.toThrow(
      'there is no block',
    );
  });
});
