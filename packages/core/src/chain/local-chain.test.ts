// Where a block stands against our window, on random chains and forks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonAncestor, type KnownBlock, headToBeginAt, nextRange, placeBlock } from './local-chain.ts';
import type { BlockHeader } from './transfer.ts';

/** Two branches from one root: they share the blocks up to and including `fork`. */
const branches = fc
  .record({
    fork: fc.integer({ min: 0, max: 20 }),
    ours: fc.integer({ min: 0, max: 20 }),
    theirs: fc.integer({ min: 0, max: 20 }),
    windowBlocks: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ fork, ours, theirs, windowBlocks }) => ({
    fork,
    ours: chain('a', fork, fork + ours),
    theirs: chain('b', fork, fork + theirs),
    windowBlocks,
  }));

function chain(branch: string, fork: number, head: number): readonly BlockHeader[] {
  const hash = (number: number) => (number <= fork ? `root${number}` : `${branch}${number}`);
  return Array.from({ length: head + 1 }, (_, number) => ({
    number,
    hash: hash(number),
    parentHash: number === 0 ? 'none' : hash(number - 1),
    time: 1_000 + number,
  }));
}

describe('placeBlock', () => {
  const tip = { number: 10, hash: 'a10' };
  const header = (number: number, hash: string, parentHash: string) => ({
    number,
    hash,
    parentHash,
    time: 0,
  });

  it.each([
    ['on top of ours', header(11, 'a11', 'a10'), { kind: 'next' }],
    ['on top of another tip', header(11, 'b11', 'b10'), { kind: 'fork' }],
    ['our tip again', header(10, 'a10', 'a9'), { kind: 'duplicate' }],
    ['another block at our height', header(10, 'b10', 'a9'), { kind: 'fork' }],
    ['behind our tip', header(9, 'b9', 'a8'), { kind: 'behind' }],
    ['one too far', header(12, 'a12', 'a11'), { kind: 'gap', from: 11, to: 11 }],
    ['many too far', header(20, 'a20', 'a19'), { kind: 'gap', from: 11, to: 19 }],
  ])('of a block that is %s', (_, block, expected) => {
    expect(placeBlock(tip, block)).toEqual(expected);
  });

  it('takes any block as the first', () => {
    expect(placeBlock(null, header(500, 'x', 'y'))).toEqual({ kind: 'next' });
  });

  it('follows one branch block by block', () => {
    fc.assert(
      fc.property(branches, ({ ours }) => {
        let tipSoFar: KnownBlock | null = null;
        for (const block of ours) {
          expect(placeBlock(tipSoFar, block).kind).toBe('next');
          expect(placeBlock(block, block).kind).toBe('duplicate');
          tipSoFar = block;
        }
      }),
    );
  });

  it('never takes a block of another branch once ours has one of its own', () => {
    fc.assert(
      fc.property(branches, ({ fork, ours, theirs }) => {
        const ownTip = ours.at(-1);
        fc.pre(ownTip !== undefined && ownTip.number > fork);
        for (const block of theirs.slice(fork + 1)) {
          expect(['fork', 'gap', 'behind']).toContain(placeBlock(ownTip, block).kind);
        }
      }),
    );
  });
});

describe('commonAncestor', () => {
  it('is the highest shared block of the window, or nothing when the fork is deeper', () => {
    fc.assert(
      fc.property(branches, fc.boolean(), ({ fork, ours, theirs, windowBlocks }, backwards) => {
        const kept = ours.slice(-windowBlocks);
        const window = backwards ? [...kept].reverse() : kept;
        const remote = new Map(theirs.map(({ number, hash }) => [number, hash]));
        const isKept = window.some(({ number }) => number <= fork);
        expect(commonAncestor(window, remote)?.number ?? null).toBe(isKept ? fork : null);
      }),
    );
  });

  it.each<readonly [string, readonly [number, string][], number | null]>([
    [
      'the top of ours',
      [
        [3, 'a3'],
        [2, 'a2'],
        [1, 'a1'],
      ],
      3,
    ],
    [
      'one below the top',
      [
        [3, 'b3'],
        [2, 'a2'],
        [1, 'a1'],
      ],
      2,
    ],
    [
      'the lowest that is kept',
      [
        [3, 'b3'],
        [2, 'b2'],
        [1, 'a1'],
      ],
      1,
    ],
    [
      'nothing that is kept',
      [
        [3, 'b3'],
        [2, 'b2'],
        [1, 'b1'],
      ],
      null,
    ],
    [
      'a hash of ours at another height',
      [
        [2, 'a1'],
        [3, 'a2'],
      ],
      null,
    ],
    ['a height above ours alone', [[4, 'a4']], null],
  ])('is %s', (_, remote, expected) => {
    const window = [3, 2, 1].map((number) => ({ number, hash: `a${number}` }));
    expect(commonAncestor(window, new Map(remote))?.number ?? null).toBe(expected);
  });
});

describe('nextRange', () => {
  it('goes on after the tip without a gap, within the batch and the head', () => {
    const number = fc.integer({ min: 0, max: 1_000 });
    fc.assert(
      fc.property(
        fc.option(number),
        number,
        number,
        fc.integer({ min: 1, max: 64 }),
        (tip, startAt, head, batch) => {
          const range = nextRange(tip === null ? null : { number: tip, hash: 'x' }, startAt, head, batch);
          const first = tip === null ? startAt : tip + 1;
          expect(range).toEqual(Array.from({ length: range.length }, (_, index) => first + index));
          expect(range.length).toBe(Math.max(0, Math.min(batch, head - first + 1)));
        },
      ),
    );
  });
});

describe('headToBeginAt', () => {
  it.each<readonly [string, readonly number[], number, number | null]>([
    ['one provider is taken at its report', [500], 1, 500],
    ['no provider reported yet', [], 1, null],
    ['fewer than a quorum', [500], 2, null],
    ['two about alike', [500, 497], 2, 497],
    ['two as far apart as is allowed', [505, 500], 2, 500],
    ['two a block further apart', [506, 500], 2, null],
    ['two that are far apart', [500, 0], 2, null],
    ['one of three too high', [500, 9_000, 498], 2, 498],
    ['one of three too low', [500, 0, 498], 2, 498],
    ['three far apart', [500, 0, 9_000], 2, null],
  ])('%s', (_, heads, quorum, expected) => {
    expect(headToBeginAt(heads, quorum, 5)).toBe(expected);
  });
});
