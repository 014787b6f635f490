// Whatever fewer than a quorum of providers do: nothing false becomes final, and the chain goes on.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyScript, faultyProvider, type Script } from '@ducat/testkit/chains/faulty-provider';
import {
  Follower,
  grow,
  pay,
  quickChain,
  type QuorumStage,
  quorumStage,
  unitsIn,
} from '@ducat/testkit/chains/quorum-stage';
import { createQuorumReader } from './quorum-reader.ts';

interface Case {
  readonly providers: number;
  readonly quorum: number;
  /** Places of the faulty providers in the order of the configuration, and what each of them does. */
  readonly faulty: readonly (readonly [number, Script])[];
  readonly isProven: boolean;
  readonly nodeFinality: 'finalized' | 'none';
  readonly latencyMs: readonly number[];
  /** For each poll, how many blocks come and how many of the newest blocks they replace. */
  readonly news: readonly (readonly [number, number])[];
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .filter(([providers, quorum]) => quorum <= providers)
  .chain(([providers, quorum]) => {
    const places = fc.shuffledSubarray(
      Array.from({ length: providers }, (_, place) => place),
      { minLength: quorum - 1, maxLength: quorum - 1 },
    );
    return fc.record({
      providers: fc.constant(providers),
      quorum: fc.constant(quorum),
      faulty: places.chain((chosen) =>
        fc.tuple(...chosen.map((place) => fc.tuple(fc.constant(place), anyScript))),
      ),
      isProven: fc.boolean(),
      nodeFinality: fc.constantFrom('finalized' as const, 'none' as const),
      latencyMs: fc.array(fc.constantFrom(0, 20, 300, 800), { minLength: 4, maxLength: 4 }),
      news: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 1 })), {
        minLength: 1,
        maxLength: 6,
      }),
    });
  });

/** Virtual milliseconds, long enough for a faulty provider to be used again after four backoffs. */
const lengthMs = 120_000;
/**
 * Blocks of a second each. The worst of 2,000 cases took so many: one provider wrong, another slow, a reorg every second.
 */
const mostBehind = 60;

function play(one: Case): {
  readonly stage: QuorumStage;
  readonly follower: Follower;
  readonly news: () => void;
} {
  const stage = quorumStage({ ...quickChain, nodeFinality: one.nodeFinality });
  const { chain, clock } = stage;
  const branch = chain.split(8);
  const readers = Array.from({ length: one.providers }, (_, place) => {
    const options = { isProven: one.isProven };
    const honest = chain.provider(`p${place}`, options);
    const script = one.faulty.find(([at]) => at === place)?.[1];
    if (script !== undefined) {
      const foreign = branch.provider(`p${place}`, options);
      return faultyProvider(honest, foreign, script, clock);
    }
    honest.setLatency(one.latencyMs[place] ?? 0);
    return honest;
  });
  const reader = createQuorumReader({
    definition: chain.definition,
    readers,
    quorum: one.quorum,
    world: clock,
  });
  const follower = new Follower(reader, (block) => {
    const truth = chain.blocks.at(block.header.number);
    expect(unitsIn(block)).toBe(
      truth && unitsIn({ ...block, header: truth.header, transfers: truth.transfers }),
    );
  });
  let looks = 0;
  let grownMs = clock.nowMs();
  const news = (): void => {
    for (; grownMs < clock.nowMs(); grownMs += chain.definition.blockTimeMs) {
      const [, depth] = one.news[looks++ % one.news.length] ?? [1, 0];
      if (depth > 0) chain.fork(depth, [[pay(1_000n + BigInt(looks))]]);
      grow(chain, 1);
      branch.mine([pay(77n)]);
    }
  };
  return { stage, follower, news };
}

describe('fewer than a quorum of providers', () => {
  it('make nothing final that is not so, and do not stop the chain where enough others are there', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const { stage, follower, news } = play(one);
        await stage.clock.run(follower.follow(stage, lengthMs, news));
        const isEnough = one.providers - one.faulty.length >= one.quorum;
        if (isEnough) expect(stage.chain.height - follower.final).toBeLessThan(mostBehind);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a reorg', () => {
  it('is followed, however deep it is above the final block, with one of three providers on a branch', async () => {
    for (const depth of [1, 2, 3, 4]) {
      const stage = quorumStage();
      const { chain, clock } = stage;
      const branch = chain.split(6);
      const readers = ['a', 'b', 'c'].map((name) => chain.provider(name));
      readers[depth % 3]?.follow(branch);
      const reader = createQuorumReader({ definition: chain.definition, readers, world: clock });
      const follower = new Follower(reader, (block) =>
        expect(block.header).toEqual(chain.header(block.header.number)),
      );
      let looks = 0;
      await clock.run(
        follower.follow(stage, 30_000, () => {
          if (looks++ % 2 > 0) return;
          grow(branch, 1);
          grow(chain, 1);
          if (looks % 10 === 1) chain.fork(depth, Array(depth).fill([pay(BigInt(looks))]));
        }),
      );
      expect(chain.height - follower.final).toBeLessThan(10);
    }
  });
});
