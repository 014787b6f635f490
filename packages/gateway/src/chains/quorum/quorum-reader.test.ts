// What is read of one provider, and what becomes of the others: away, slow, behind or wrong.
import { describe, expect, it } from 'vitest';
import { unitsOf } from '@ducat/core/money/amount';
import {
  circuits,
  coin,
  pass,
  pay,
  providerStage,
  query,
  quickChain,
  quorumStage,
} from '@ducat/testkit/chains/quorum-stage';
import { createQuorumReader } from './quorum-reader.ts';

describe('reading', () => {
  it('asks the first provider alone while it answers', async () => {
    const { reader, chain, a, b } = providerStage(3);
    expect((await reader.block(3, query))?.header).toEqual(chain.header(3));
    expect([a.calls(), b.calls()]).toEqual([1, 0]);
  });

  it('goes on to the next where one fails, and says what each of them did where all fail', async () => {
    const { reader, chain, a, b, c } = providerStage(3);
    a.failNext(2);
    expect((await reader.block(3, query))?.header).toEqual(chain.header(3));
    b.failNext(1, { kind: 'invalid' });
    c.failNext(1, { kind: 'throttled' });
    await expect(reader.block(3, query)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'TEST: block 3: a: block fails on demand; b: block fails on demand; c: block fails on demand',
    });
  });

  it('is null where nobody has come as far, and an Outage where one of them cannot say', async () => {
    const { reader, a } = providerStage(2);
    expect(await reader.block(11, query)).toBeNull();
    a.failNext(1);
    await expect(reader.block(11, query)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('asks the next one too where the first takes long, and prefers that one from then on', async () => {
    const one = providerStage(3);
    const { reader, clock, chain, a, b } = one;
    a.stall(true);
    const startMs = clock.nowMs();
    expect((await clock.run(reader.block(3, query)))?.header).toEqual(chain.header(3));
    expect(clock.nowMs() - startMs).toBe(5_000);
    expect(circuits(one)).toBe('half-open closed closed');
    await reader.block(4, query);
    expect([a.calls(), b.calls()]).toEqual([1, 2]);
  });

  it('does not wait for requests that never end', async () => {
    const { chain, clock } = quorumStage();
    const never = (): Promise<never> => new Promise(() => {});
    const dead = { ...chain.provider('a'), head: never, finalHeight: never, header: never, block: never };
    const readers = [dead, chain.provider('b'), chain.provider('c')];
    const reader = createQuorumReader({ definition: quickChain, readers, world: clock });
    expect(await clock.run(reader.head())).toBe(10);
    expect((await clock.run(reader.block(3, query)))?.header).toEqual(chain.header(3));
    expect(await clock.run(reader.finalBlock(8))).toMatchObject({ number: 6 });
  });

  it('prefers a provider that has the block', async () => {
    const { reader, a, b } = providerStage(2);
    a.setLag(2);
    await reader.head();
    await reader.block(9, query);
    await reader.block(8, query);
    expect([a.calls('block'), b.calls('block')]).toEqual([1, 1]);
  });

  it('holds it against a provider that it hides a block below its head', async () => {
    const one = providerStage(2);
    one.a.lie({ block: () => null });
    await one.reader.head();
    expect(await one.reader.block(3, query)).not.toBeNull();
    expect(circuits(one)).toBe('half-open closed');
  });

  it('finds a header by its hash wherever it is', async () => {
    const { reader, chain, b } = providerStage(2);
    const branch = chain.split(2);
    const header = branch.mine();
    expect(await reader.headerByHash(header.hash)).toBeNull();
    b.follow(branch);
    expect(await reader.headerByHash(header.hash)).toEqual(header);
  });
});

describe('balances and traces', () => {
  it('come from as many different providers as are asked for', async () => {
    const { reader, chain, b } = providerStage(3);
    chain.mine([pay(7n)]);
    b.failNext(1);
    const reports = await reader.balances(['ours'], coin, chain.header(11), 2);
    expect(reports.map(({ provider }) => provider)).toEqual(['a', 'c']);
    expect(reports[0]?.amounts.map(unitsOf)).toEqual([chain.balance('ours', coin.currencyId)].map(BigInt));
  });

  it('are not those of a block that no other provider has', async () => {
    const one = providerStage(3);
    one.a.lie({ balances: (report) => ({ ...report, at: 1_000_000 }) });
    const reports = await one.reader.balances(['ours'], coin, one.chain.header(8), 2);
    expect(reports.map(({ provider, at }) => [provider, at])).toEqual([
      ['b', 8],
      ['c', 8],
    ]);
    expect(circuits(one)).toBe('half-open closed closed');
  });

  it('are unsupported where every provider that is left says so', async () => {
    const one = providerStage(2, { stateBlocks: 3, canTrace: false });
    await expect(one.reader.balances(['ours'], coin, one.chain.header(2), 1)).rejects.toMatchObject({
      kind: 'unsupported',
      retryable: false,
    });
    expect(await one.reader.internalTransfers(one.chain.header(2), ['ours'])).toBeNull();
    expect(circuits(one)).toBe('closed closed');
  });

  it('are traced by a provider that can', async () => {
    const { chain, clock } = quorumStage();
    const readers = [chain.provider('a', { canTrace: false, gaps: ['No traces.'] }), chain.provider('b')];
    const reader = createQuorumReader({ definition: quickChain, readers, world: clock });
    expect(await reader.internalTransfers(chain.header(3), ['ours'])).toEqual([]);
    expect(reader.gaps()).toEqual(['a: No traces.']);
  });

  it('and the check of a token take the first report', async () => {
    const { reader, a, b } = providerStage(2);
    a.failNext(1);
    b.lie({ checkCurrency: () => 'it has 6 decimals' });
    expect(await reader.checkCurrencies([coin])).toEqual([{ currencyId: 1000, reason: 'it has 6 decimals' }]);
  });
});

describe('circuits', () => {
  it('are all open: the Outage names each reason, and the first that is half-open reads again', async () => {
    const one = providerStage(2);
    for (const provider of [one.a, one.b]) provider.failNext(1, { kind: 'throttled' });
    await expect(one.reader.head()).rejects.toMatchObject({ kind: 'throttled' });
    expect(circuits(one)).toBe('open open');
    await expect(one.reader.block(3, query)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'TEST: block 3: a: circuit open, head fails on demand; b: circuit open, head fails on demand',
    });
    await pass(one, 5_000);
    expect(await one.reader.block(3, query)).not.toBeNull();
    expect(circuits(one)).toBe('half-open half-open');
    await one.reader.head();
    expect(circuits(one)).toBe('closed closed');
  });

  it('are not opened by what is nobody’s fault', async () => {
    const one = providerStage(2);
    for (const kind of ['not-yet', 'unsupported'] as const) {
      one.a.failNext(5, { kind });
      for (let times = 0; times < 5; times++) await one.reader.block(3, query);
    }
    expect(circuits(one)).toBe('closed closed');
  });

  it('take what a reader cannot cope with for an invalid answer', async () => {
    const one = providerStage(2);
    one.a.lie({
      head: () => {
        throw new TypeError('not a number');
      },
    });
    expect(await one.reader.head()).toBe(10);
    expect(one.reader.providers()[0]).toMatchObject({
      circuit: 'half-open',
      reason: 'sent what cannot be read',
    });
  });
});
