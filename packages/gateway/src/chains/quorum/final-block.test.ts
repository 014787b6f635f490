// The final block that a quorum agrees on, whatever one of the providers says.
import { describe, expect, it } from 'vitest';
import {
  circuits,
  grow,
  pass,
  providerStage,
  query,
  quickChain,
  quorumStage,
} from '@ducat/testkit/chains/quorum-stage';
import { createQuorumReader } from './quorum-reader.ts';

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
    const { clock, reader, chain, a, c } = providerStage(3);
    expect(await reader.finalBlock(8)).toMatchObject({ number: 6 });
    a.lie({ finalHeight: () => 1 });
    c.setLatency(2_000);
    grow(chain, 3);
    for (const agreed of [6, 9]) {
      expect(await clock.run(reader.finalBlock(20))).toMatchObject({ number: agreed });
      await clock.run(clock.sleep(3_000));
    }
  });

  it.each(['finalHeight', 'header'] as const)('waits for a slow %s that a quorum needs', async (call) => {
    const { clock, reader, b } = providerStage(2);
    b.setLatency(7_000, call);
    expect(await clock.run(reader.finalBlock(8))).toMatchObject({ number: 6 });
  });

  it('does not wait long for a hash that does not come', async () => {
    const { clock, reader, chain, a, c } = providerStage(3);
    a.lie({ finalHeight: () => 8 });
    a.setLatency(15_000, 'header');
    c.setLag(1);
    const startMs = clock.nowMs();
    expect(await clock.run(reader.finalBlock(8))).toEqual({ number: 5, hash: chain.header(5).hash });
    expect(clock.nowMs() - startMs).toBe(5_000);
  });

  it('waits 5 s once for a provider that holds back its hashes, however long it does', async () => {
    const { clock, reader, chain, a, c } = providerStage(3);
    a.lie({ finalHeight: () => 1_000 });
    a.setLatency(15_000, 'header');
    c.setLag(1);
    const tookMs: number[] = [];
    const take = async (): Promise<void> => {
      const startMs = clock.nowMs();
      expect(await clock.run(reader.finalBlock(20))).toMatchObject({ number: chain.height - 5 });
      tookMs.push(clock.nowMs() - startMs);
      grow(chain, 1);
    };
    for (let round = 0; round < 4; round++) await take();
    expect(tookMs).toEqual([5_000, 1_000, 1_000, 1_000]);
  });

  it('does not take the word of one for a height that nodes without old blocks cannot show', async () => {
    for (const pruned of [['b'], ['b', 'c']] as const) {
      const one = providerStage(3);
      const { reader, chain, a } = one;
      a.lie({ finalHeight: () => 1 });
      for (const name of pruned) one[name].lie({ header: (header, number) => (number < 3 ? null : header) });
      for (const agreed of [6, 7, 8]) {
        expect(await reader.finalBlock(20)).toEqual({ number: agreed, hash: chain.header(agreed).hash });
        expect(circuits(one)).toBe('closed closed closed');
        grow(chain, 1);
      }
    }
  });

  it('goes on where one provider is slow and another one stalls', async () => {
    const one = providerStage(3);
    const { clock, reader, chain, a, c } = one;
    expect(await reader.finalBlock(20)).toMatchObject({ number: 6 });
    a.setLatency(19_000, 'header');
    a.lie({ header: () => null });
    c.setLatency(1_500, 'finalHeight');
    // What was reported before is old by now.
    await pass(one, 20_000);
    grow(chain, 20);
    let final = -1;
    for (let round = 0; round < 6; round++) {
      const startMs = clock.nowMs();
      final = (await clock.run(reader.finalBlock(chain.height)).catch(() => null))?.number ?? final;
      grow(chain, Math.floor((clock.nowMs() - startMs) / quickChain.blockTimeMs));
    }
    expect(chain.height - final).toBeLessThan(20);
  });

  it('opens the circuit of a provider that is dead and below every height in question', async () => {
    const { chain, clock } = quorumStage();
    const [dead, ...others] = ['a', 'b', 'c', 'd'].map((name) => chain.provider(name));
    const readers = [...(dead ? [dead] : []), ...others];
    const reader = createQuorumReader({ definition: quickChain, readers, world: clock });
    await reader.finalBlock(8);
    grow(chain, 5);
    dead?.failNext(99);
    for (let failures = 1; failures <= 3; failures++) {
      expect(reader.providers()[0]?.circuit).toBe('closed');
      await reader.finalBlock(20);
    }
    expect(reader.providers()[0]?.circuit).toBe('open');
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

  it('asks once for the hashes at each height in question', async () => {
    const { reader, a, b, c } = providerStage(3);
    c.setLag(1);
    expect(await reader.finalBlock(8)).toMatchObject({ number: 6 });
    expect([a, b, c].map((provider) => provider.calls('header'))).toEqual([2, 2, 1]);
  });

  it('is at most what is asked for, and has the confirmations above it', async () => {
    const { reader, chain, a, b } = providerStage(2);
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
    const { reader, chain, b } = providerStage(2);
    const branch = chain.split(8);
    grow(branch, 8);
    b.follow(branch);
    await expect(reader.finalBlock(8)).rejects.toThrow(
      `TEST: providers disagree on the final block: a reports ${chain.header(6).hash} for block 6, ` +
        `b reports ${branch.header(6).hash} for block 6`,
    );
  });

  it('shows who is outvoted, also where its vote comes late', async () => {
    const one = providerStage(3);
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
    const one = providerStage(3);
    const { reader, chain } = one;
    const branch = chain.split(8);
    grow(branch, 8);
    one.a.lie({ block: (block) => block && { ...block, header: branch.header(block.header.number) } });
    for (const seconds of [5, 10, 20]) {
      expect((await reader.block(6, query))?.header).toEqual(branch.header(6));
      await reader.finalBlock(8);
      reader.reject(branch.header(6), 'it was undone');
      expect((await reader.block(6, query))?.header).toEqual(chain.header(6));
      await pass(one, seconds * 1_000 - 1);
      await reader.head();
      expect(circuits(one)).toBe('half-open closed closed');
      await pass(one, 1);
      await reader.head();
      expect(circuits(one)).toBe('closed closed closed');
    }
  });

  it('doubts the provider of a block that the caller rejects', async () => {
    const one = providerStage(2);
    const block = await one.reader.block(6, query);
    one.reader.reject({ number: 6, hash: 'another' }, 'it repeats a transfer');
    expect(circuits(one)).toBe('closed closed');
    if (block !== null) one.reader.reject(block.header, 'it repeats a transfer');
    expect(circuits(one)).toBe('half-open closed');
  });
});
