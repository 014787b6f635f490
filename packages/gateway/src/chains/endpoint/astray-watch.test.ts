// Whoever told what is not on the chain proves that it is back; one that shifts again and again is asked last.
import { describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { AstrayWatch } from './astray-watch.ts';
import { BehindHead } from './behind-head.ts';
import { LyingNode } from './lying-node.ts';
import { ToldBlocks } from './told-blocks.ts';

const hour = 3_600_000;

describe('an endpoint that went astray', () => {
  it('is refused as long as it does not show the block, and asked last for an hour', async () => {
    const watch = new AstrayWatch();
    await watch.prove();
    expect([watch.isAside(0), watch.trouble(0)]).toEqual([false, null]);
    let error: Outage | null = new LyingNode('another block');
    watch.noteAstray(0, 'told b7 as block 7', async () => {
      if (error !== null) throw error;
    });
    await expect(watch.prove()).rejects.toBe(error);
    error = new BehindHead(7);
    const failure = watch.prove();
    await expect(failure).rejects.toBeInstanceOf(Outage);
    await expect(failure).rejects.not.toBeInstanceOf(BehindHead);
    error = null;
    await watch.prove();
    expect(watch.trouble(hour - 1)).toBe('told b7 as block 7; it is asked last for an hour');
    expect([watch.isAside(hour - 1), watch.isAside(hour), watch.trouble(hour)]).toEqual([true, false, null]);
    // What it has shown once is not asked for again.
    error = new LyingNode('another block');
    await watch.prove();
  });

  it('is asked last for the third shift within an hour, and not for one now and then', () => {
    const often = new AstrayWatch();
    for (const atMs of [0, hour / 2, hour - 1]) {
      expect(often.isAside(atMs)).toBe(false);
      often.noteShift(atMs, 'told another block');
    }
    expect(often.isAside(hour)).toBe(true);
    const seldom = new AstrayWatch();
    for (let time = 0; time < 10; time++) seldom.noteShift(time * hour * 0.6, 'told another block');
    expect(seldom.isAside(6 * hour)).toBe(false);
  });
});

describe('what an endpoint told', () => {
  it('contradicts another block of the same height, once', () => {
    const told = new ToldBlocks();
    told.keep({ number: 7, hash: 'a7' });
    expect(told.takeContradiction({ number: 8, hash: 'b8' })).toBe(false);
    expect(told.takeContradiction({ number: 7, hash: 'a7' })).toBe(false);
    expect(told.takeContradiction({ number: 7, hash: 'b7' })).toBe(true);
    expect(told.takeContradiction({ number: 7, hash: 'b7' })).toBe(false);
    told.keep({ number: 7, hash: 'b7' });
    told.keep({ number: 7, hash: 'a7' });
    expect(told.takeContradiction({ number: 7, hash: 'a7' })).toBe(false);
  });

  it('is kept for a thousand blocks', () => {
    const told = new ToldBlocks();
    for (let number = 0; number <= 1_024; number++) told.keep({ number, hash: `a${number}` });
    expect(told.takeContradiction({ number: 0, hash: 'b0' })).toBe(false);
    expect(told.takeContradiction({ number: 1, hash: 'b1' })).toBe(true);
  });
});
