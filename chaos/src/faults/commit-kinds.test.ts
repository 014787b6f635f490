// Shows which COMMITs are cut, and that none of the kinds that come is left out.
import { describe, expect, it } from 'vitest';
import { type CommitKind, FairCuts, kindOf } from './commit-kinds.ts';

const commit = (...writes: string[]) => ({ writes, isImplicit: false });

describe('kindOf', () => {
  it.each<[CommitKind | null, string[]]>([
    ['order opened', ['update addresses', 'insert orders']],
    ['webhook claimed', ['update events', 'insert delivery_attempts']],
    ['webhook ended', ['update delivery_attempts', 'update events']],
    ['webhook given back', ['update events', 'delete delivery_attempts']],
    ['payment settled', ['insert blocks', 'update orders', 'insert entries', 'insert postings']],
    ['order expired', ['update orders', 'insert events']],
    ['block accepted', ['insert blocks', 'update chain_cursors']],
    ['fork undone', ['delete blocks', 'insert reorgs', 'update chain_cursors']],
    ['addresses added or reused', ['insert addresses']],
    ['anything else', ['insert currencies']],
    [null, ['update leases']],
    [null, []],
  ])('is %s for %j', (kind, writes) => {
    expect(kindOf(commit(...writes))).toBe(kind);
  });
});

describe('FairCuts', () => {
  it('cuts the kind that was cut least, however rare it is, and waits for none that comes no more', () => {
    let nowMs = 0;
    const cuts = new FairCuts(() => nowMs);
    const passes = (one: ReturnType<typeof commit>) => {
      cuts.seen(one);
      const isNext = cuts.isNext(one);
      if (isNext) cuts.wasCut(one);
      return isNext;
    };
    const [order, block, lease] = [commit('insert orders'), commit('insert blocks'), commit('update leases')];
    cuts.seen(order);
    cuts.seen(block);
    expect([lease, block, block, block, order, block, block].map(passes)).toEqual([
      false,
      true,
      false,
      false,
      true,
      true,
      false,
    ]);
    nowMs = 20_000;
    expect(passes(block)).toBe(true);
  });
});
