// One of several providers is away, slow, behind, stuck, on a branch or wrong, in each place where that matters.
import { describe, expect, it } from 'vitest';
import { coin, grow, pay, query, quickChain, quorumStage } from '@ducat/testkit/chains/quorum-stage';
import type { VirtualClock } from '@ducat/testkit/virtual-clock';
import { unitsOf } from '@ducat/core/money/amount';
import type { FakeChain } from '../fake/chain-in-memory.ts';
import type { FakeProvider } from '../fake/fake-provider.ts';
import type { FakeProviderOptions } from '../fake/honest-provider.ts';
import type { ChainReader, SelectOurs } from '../port/reader.ts';
import { createQuorumReader } from './quorum-reader.ts';

interface Stage {
  readonly chain: FakeChain;
  readonly clock: VirtualClock;
  readonly reader: ChainReader;
  readonly a: FakeProvider;
  readonly b: FakeProvider;
  readonly c: FakeProvider;
}

/** Providers a, b and c, as many of them as are configured. */
function stage(count: number, options: FakeProviderOptions & { readonly quorum?: number } = {}): Stage {
  const { chain, clock } = quorumStage();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => chain.provider(name, options));
  if (a === undefined || b === undefined || c === undefined) throw new Error('there are three');
  const readers = [a, b, c].slice(0, count);
  const { quorum = null } = options;
  return {
    chain,
    clock,
    a,
    b,
    c,
    reader: createQuorumReader({ definition: quickChain, readers, quorum, world: clock }),
  };
}

/** The circuits of the providers, in order, as `closed closed open`. */
function circuits({ reader }: Pick<Stage, 'reader'>): string {
  return reader
    .providers()
    .map(({ circuit }) => circuit)
    .join(' ');
}

async function pass({ clock }: Stage, ms: number): Promise<void> {
  await clock.run(clock.sleep(ms));
}

const all: SelectOurs = async (block) => block;

describe('reading', () => {
  it('asks the first provider alone while it answers', async () => {
    const { reader, chain, a, b } = stage(3);
    expect((await reader.block(3, query))?.header).toEqual(chain.header(3));
    expect([a.calls(), b.calls()]).toEqual([1, 0]);
  });

  it('goes on to the next where one fails, and says what each of them did where all fail', async () => {
    const { reader, chain, a, b, c } = stage(3);
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
    const { reader, a } = stage(2);
    expect(await reader.block(11, query)).toBeNull();
    a.failNext(1);
    await expect(reader.block(11, query)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('asks the next one too where the first takes long, and prefers that one from then on', async () => {
    const one = stage(3);
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

  it('prefers whoever has the block', async () => {
    const { reader, a, b } = stage(2);
    a.setLag(2);
    await reader.head();
    await reader.block(9, query);
    await reader.block(8, query);
    expect([a.calls('block'), b.calls('block')]).toEqual([1, 1]);
  });

  it('holds it against a provider that it hides a block below its head', async () => {
    const one = stage(2);
    one.a.lie({ block: () => null });
    await one.reader.head();
    expect(await one.reader.block(3, query)).not.toBeNull();
    expect(circuits(one)).toBe('half-open closed');
  });

  it('finds a header by its hash wherever it is', async () => {
    const { reader, chain, b } = stage(2);
    const branch = chain.split(2);
    const header = branch.mine();
    expect(await reader.headerByHash(header.hash)).toBeNull();
    b.follow(branch);
    expect(await reader.headerByHash(header.hash)).toEqual(header);
  });
});

describe('the head', () => {
  it.each<readonly [string, readonly number[], number | null, number]>([
    ['of one provider is its own', [10], null, 10],
    ['of two is the lower one', [10, 12], null, 10],
    ['of three is the second', [10, 12, 11], null, 11],
    ['is not raised by one of three', [10, 1_000_000, 11], null, 11],
    ['is not lowered by one of three', [1, 12, 11], null, 11],
    ['is the highest where one is enough', [10, 12, 11], 1, 12],
    ['is the lowest where three are needed', [10, 12, 11], 3, 10],
  ])('%s', async (_what, heads, quorum, head) => {
    const { chain, clock } = quorumStage();
    const readers = heads.map((one, place) => {
      const provider = chain.provider(`p${place}`);
      provider.lie({ head: () => one });
      return provider;
    });
    const reader = createQuorumReader({ definition: quickChain, readers, quorum, world: clock });
    expect(await reader.head()).toBe(head);
  });

  it('shows who lags', async () => {
    const one = stage(3);
    grow(one.chain, 20);
    one.b.setLag(16);
    expect(await one.reader.head()).toBe(30);
    expect(one.reader.providers()[1]).toEqual({
      provider: 'b',
      circuit: 'half-open',
      reason: 'its head 14 is 16 blocks below that of others',
      head: 14,
    });
  });

  it('goes on where one of two is away', async () => {
    const one = stage(2);
    one.b.failNext(100);
    expect(await one.reader.head()).toBe(10);
    await one.reader.head();
    await one.reader.head();
    expect(circuits(one)).toBe('closed open');
    await one.reader.head();
    expect(one.b.calls()).toBe(3);
  });

  it('goes on soon where one of two stands still', async () => {
    const one = stage(2);
    await one.reader.head();
    for (let lag = 1; lag <= 16; lag++) {
      grow(one.chain, 1);
      one.a.setLag(lag);
      await pass(one, 1_000);
      await one.reader.head();
    }
    expect(await one.reader.head()).toBe(26);
    expect(one.reader.providers()[0]?.reason).toBe('its head 10 is 16 blocks below that of others');
  });

  it('does not wait for one that is late again and again', async () => {
    const one = stage(3);
    const { clock, reader } = one;
    one.a.setLatency(3_000);
    const startMs = clock.nowMs();
    await clock.run(reader.head());
    expect(clock.nowMs() - startMs).toBe(1_000);
    await clock.run(reader.head());
    expect(clock.nowMs() - startMs).toBe(1_000);
    await pass(one, 3_000);
    expect(reader.providers()[0]).toMatchObject({ circuit: 'half-open', head: 10 });
  });
});

describe('the final block', () => {
  /** What each provider calls final, and what it reports at that height: the chain's block, or one of its own. */
  type Report = readonly [number | null, 'true' | 'false' | 'none' | 'away'];

  it.each<readonly [string, readonly Report[], number | string | null]>([
    ['of one provider', [[6, 'true']], 6],
    [
      'of two that agree',
      [
        [6, 'true'],
        [5, 'true'],
      ],
      5,
    ],
    [
      'of two that do not',
      [
        [6, 'true'],
        [6, 'false'],
      ],
      'disagreement',
    ],
    [
      'of two of which one is away',
      [
        [6, 'true'],
        [6, 'away'],
      ],
      'unavailable',
    ],
    [
      'of two of which one has none',
      [
        [6, 'true'],
        [null, 'true'],
      ],
      null,
    ],
    [
      'of two of which one hides it',
      [
        [6, 'true'],
        [6, 'none'],
      ],
      'invalid',
    ],
    [
      'where one of three is wrong',
      [
        [6, 'false'],
        [6, 'true'],
        [6, 'true'],
      ],
      6,
    ],
    [
      'where one of three is wrong and ahead of two that are apart',
      [
        [8, 'false'],
        [6, 'true'],
        [5, 'true'],
      ],
      5,
    ],
    [
      'where one of three is wrong and behind',
      [
        [1, 'false'],
        [6, 'true'],
        [5, 'true'],
      ],
      5,
    ],
    [
      'where one of three has none',
      [
        [null, 'true'],
        [6, 'true'],
        [5, 'true'],
      ],
      5,
    ],
    [
      'where one of three is away',
      [
        [6, 'away'],
        [6, 'true'],
        [5, 'true'],
      ],
      5,
    ],
    [
      'where one of three hides it',
      [
        [8, 'none'],
        [6, 'true'],
        [5, 'true'],
      ],
      5,
    ],
    [
      'of four of which two are on a branch',
      [
        [6, 'true'],
        [6, 'true'],
        [6, 'false'],
        [6, 'false'],
      ],
      'disagreement',
    ],
    [
      'of four of which two are on a branch that is shared below',
      [
        [6, 'true'],
        [4, 'true'],
        [6, 'false'],
        [4, 'true'],
      ],
      4,
    ],
  ])('%s', async (_what, reports, expected) => {
    const { chain, clock } = quorumStage();
    const branch = chain.split(10);
    grow(branch, 10);
    const readers = reports.map(([height, trick], place) => {
      const provider = chain.provider(`p${place}`);
      provider.lie({
        finalHeight: () => height,
        ...(trick === 'none' ? { header: () => null } : {}),
        ...(trick === 'false'
          ? { header: (header, number) => (number === 6 || number === 8 ? branch.header(number) : header) }
          : {}),
      });
      if (trick === 'away') provider.failNext(1);
      return provider;
    });
    const reader = createQuorumReader({ definition: quickChain, readers, world: clock });
    const agreed = reader.finalBlock(8);
    if (typeof expected === 'string') await expect(agreed).rejects.toMatchObject({ kind: expected });
    else if (expected === null) expect(await agreed).toBeNull();
    else expect(await agreed).toEqual({ number: expected, hash: chain.header(expected).hash });
  });

  it('waits for a slow provider where a quick one is wrong', async () => {
    const { clock, reader, chain, a, c } = stage(3);
    expect(await reader.finalBlock(8)).toMatchObject({ number: 6 });
    a.lie({ finalHeight: () => 1 });
    c.setLatency(2_000);
    grow(chain, 3);
    for (const agreed of [6, 9]) {
      expect(await clock.run(reader.finalBlock(20))).toMatchObject({ number: agreed });
      await clock.run(clock.sleep(3_000));
    }
  });

  it('waits for a second pair of four, which may be on another branch', async () => {
    const { chain, clock } = quorumStage();
    const branch = chain.split(8);
    grow(branch, 8);
    const readers = [chain, chain, branch, branch].map((shown, place) => shown.provider(`p${place}`));
    for (const reader of readers.slice(2)) reader.setLatency(300, 'header');
    const reader = createQuorumReader({ definition: quickChain, readers, world: clock });
    await expect(clock.run(reader.finalBlock(8))).rejects.toMatchObject({ kind: 'disagreement' });
  });

  it('is at most what is asked for, and has the confirmations above it', async () => {
    const { reader, chain, a, b } = stage(2);
    expect(await reader.finalBlock(4)).toEqual({ number: 4, hash: chain.header(4).hash });
    expect(await reader.finalBlock(-1)).toBeNull();
    for (const provider of [a, b]) provider.lie({ finalHeight: () => 10 });
    expect(await reader.finalBlock(10)).toMatchObject({ number: 8 });
  });

  it('follows from the count alone where nodes have no finality', async () => {
    const { chain, clock } = quorumStage({ ...quickChain, nodeFinality: 'none' });
    const readers = [chain.provider('a'), chain.provider('b')];
    const reader = createQuorumReader({ definition: chain.definition, readers, world: clock });
    expect(await reader.finalBlock(10)).toMatchObject({ number: 8 });
    expect(readers[0]?.calls('finalHeight')).toBe(0);
  });

  it('names who reports what where they disagree', async () => {
    const { reader, chain, b } = stage(2);
    const branch = chain.split(8);
    grow(branch, 8);
    b.follow(branch);
    await expect(reader.finalBlock(8)).rejects.toThrow(
      `TEST: providers disagree on the final block: a reports ${chain.header(6).hash} for block 6, ` +
        `b reports ${branch.header(6).hash} for block 6`,
    );
  });

  it('shows who is outvoted, also where its vote comes late', async () => {
    const one = stage(3);
    const { reader, clock, chain } = one;
    const branch = chain.split(8);
    grow(branch, 8);
    one.b.follow(branch);
    one.c.setLatency(700, 'header');
    expect(await clock.run(reader.finalBlock(8))).toMatchObject({ number: 6, hash: chain.header(6).hash });
    expect(circuits(one)).toBe('closed half-open closed');
    expect(reader.providers()[1]?.reason).toContain('outvoted: reports');
  });

  it('shows who served another block in its place, however well that one votes', async () => {
    const one = stage(3);
    const { reader, chain } = one;
    const branch = chain.split(8);
    grow(branch, 8);
    one.a.lie({ block: (block) => block && { ...block, header: branch.header(block.header.number) } });
    for (const seconds of [5, 10, 20]) {
      expect((await reader.block(6, query))?.header).toEqual(branch.header(6));
      await reader.finalBlock(8);
      expect((await reader.block(6, query))?.header).toEqual(chain.header(6));
      await pass(one, seconds * 1_000 - 1);
      await reader.head();
      expect(circuits(one)).toBe('half-open closed closed');
      await pass(one, 1);
      await reader.head();
      expect(circuits(one)).toBe('closed closed closed');
    }
  });

  it('doubts whoever served a block that the caller rejects', async () => {
    const one = stage(2);
    const block = await one.reader.block(6, query);
    one.reader.reject({ number: 6, hash: 'another' }, 'it repeats a transfer');
    expect(circuits(one)).toBe('closed closed');
    if (block !== null) one.reader.reject(block.header, 'it repeats a transfer');
    expect(circuits(one)).toBe('half-open closed');
  });
});

describe('the contents of a final block', () => {
  const unproven = { isProven: false };

  it('are read once where one provider is configured, and once at each of two', async () => {
    for (const count of [1, 2]) {
      const { reader, chain, a, b } = stage(count, unproven);
      const seen = await reader.block(4, query);
      expect(seen?.transfers).toHaveLength(1);
      expect(await reader.finalContents(4, query, all)).toMatchObject({ header: chain.header(4) });
      expect([a.calls(), b.calls()]).toEqual([1, count - 1]);
    }
  });

  it('are read again where the block was not final yet, or where more is asked for', async () => {
    const { reader, chain, a } = stage(1, unproven);
    await reader.block(10, query);
    grow(chain, 5);
    await reader.finalContents(10, query, all);
    await reader.block(4, query);
    const txId = chain.blocks.at(4)?.transfers[0]?.txId ?? '';
    const { inclusions } = await reader.finalContents(4, { ...query, txIds: new Set([txId]) }, all);
    expect(inclusions).toMatchObject([{ txId, status: 'succeeded' }]);
    expect(a.calls('finalBlock')).toBe(2);
  });

  it('are what two of three report, and whoever reports anything else is doubted', async () => {
    const one = stage(3, unproven);
    const { reader, chain } = one;
    one.a.lie({ block: (block) => block && { ...block, transfers: [] } });
    await reader.block(4, query);
    expect((await reader.finalContents(4, query, all)).transfers).toEqual(chain.blocks.at(4)?.transfers);
    expect(circuits(one)).toBe('half-open closed closed');
  });

  it('are nobody else’s business: what does not concern us may differ', async () => {
    const { reader, a } = stage(2, unproven);
    a.lie({ finalBlock: (block) => block && { ...block, transfers: [] } });
    const none: SelectOurs = async (block) => ({ ...block, transfers: [] });
    expect(await reader.finalContents(4, query, none)).toMatchObject({ transfers: [] });
    await expect(reader.finalContents(4, query, all)).rejects.toMatchObject({ kind: 'disagreement' });
  });

  it('are not there before they are final at a quorum', async () => {
    const { reader, b } = stage(2, unproven);
    b.setLag(3);
    await expect(reader.finalContents(6, query, all)).rejects.toMatchObject({ kind: 'not-yet' });
  });

  it('bring the proposals of whoever has some', async () => {
    const { chain, clock } = quorumStage();
    const internal = {
      currencyId: coin.currencyId,
      from: 'contract',
      to: 'ours',
      units: 5n,
      kind: 'internal',
    } as const;
    chain.mine([{ transfers: [internal] }]);
    grow(chain, 5);
    const readers = [
      chain.provider('a', { ...unproven, hasProposals: false }),
      chain.provider('b', unproven),
    ];
    const reader = createQuorumReader({ definition: quickChain, readers, world: clock });
    expect((await reader.finalContents(11, query, all)).proposals).toMatchObject([{ to: 'ours' }]);
  });

  it('do not blame a provider for a failure of ours', async () => {
    const one = stage(2, unproven);
    const failing: SelectOurs = async () => {
      throw new Error('the database is away');
    };
    await expect(one.reader.finalContents(4, query, failing)).rejects.toThrow('the database is away');
    expect(circuits(one)).toBe('closed closed');
  });
});

describe('balances and traces', () => {
  it('come from as many different providers as are asked for', async () => {
    const { reader, chain, b } = stage(3);
    chain.mine([pay(7n)]);
    b.failNext(1);
    const reports = await reader.balances(['ours'], coin, chain.header(11), 2);
    expect(reports.map(({ provider }) => provider)).toEqual(['a', 'c']);
    expect(reports[0]?.amounts.map(unitsOf)).toEqual([chain.balance('ours', coin.currencyId)].map(BigInt));
  });

  it('are unsupported where every provider that is left says so', async () => {
    const one = stage(2, { stateBlocks: 3, canTrace: false });
    await expect(one.reader.balances(['ours'], coin, one.chain.header(2), 1)).rejects.toMatchObject({
      kind: 'unsupported',
      retryable: false,
    });
    expect(await one.reader.internalTransfers(one.chain.header(2), ['ours'])).toBeNull();
    expect(circuits(one)).toBe('closed closed');
  });

  it('are traced by whoever can', async () => {
    const { chain, clock } = quorumStage();
    const readers = [chain.provider('a', { canTrace: false, gaps: ['No traces.'] }), chain.provider('b')];
    const reader = createQuorumReader({ definition: quickChain, readers, world: clock });
    expect(await reader.internalTransfers(chain.header(3), ['ours'])).toEqual([]);
    expect(reader.gaps()).toEqual(['a: No traces.']);
  });

  it('and the check of a token take the first report', async () => {
    const { reader, a, b } = stage(2);
    a.failNext(1);
    b.lie({ checkCurrency: () => 'it has 6 decimals' });
    expect(await reader.checkCurrencies([coin])).toEqual([{ currencyId: 1000, reason: 'it has 6 decimals' }]);
  });
});

describe('circuits', () => {
  it('are all open: the Outage names each reason, and the first that is half-open reads again', async () => {
    const one = stage(2);
    for (const provider of [one.a, one.b]) provider.failNext(1, { kind: 'throttled', retryAfterMs: 30_000 });
    await expect(one.reader.head()).rejects.toMatchObject({ kind: 'throttled' });
    expect(circuits(one)).toBe('open open');
    await expect(one.reader.block(3, query)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'TEST: block 3: a: circuit open, head fails on demand; b: circuit open, head fails on demand',
    });
    await pass(one, 30_000);
    expect(await one.reader.block(3, query)).not.toBeNull();
    expect(circuits(one)).toBe('half-open half-open');
    await one.reader.head();
    expect(circuits(one)).toBe('closed closed');
  });

  it('are not opened by what is nobody’s fault', async () => {
    const one = stage(2);
    for (const kind of ['not-yet', 'unsupported'] as const) {
      one.a.failNext(5, { kind });
      for (let times = 0; times < 5; times++) await one.reader.block(3, query);
    }
    expect(circuits(one)).toBe('closed closed');
  });

  it('take what a reader cannot cope with for an invalid answer', async () => {
    const one = stage(2);
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
