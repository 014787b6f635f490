// How long it takes until what is not shown counts as never shown: by view, hash and kind of failure.
import { describe, expect, it } from 'vitest';
import { manualWorld } from '../testing/manual-world.ts';
import { UnshownBlocks } from './unshown-blocks.ts';

const body = { view: 'solid', hash: 'a', part: 'body' } as const;

function open() {
  const world = manualWorld();
  const blocks = new UnshownBlocks(world);
  /** Notes it every ten seconds for so long. */
  const during = (ms: number, place: Parameters<UnshownBlocks['note']>[0], isLate = false): boolean => {
    let isSettled = blocks.note(place, isLate);
    for (let at = 0; at < ms; at += 10_000) {
      world.advance(10_000);
      isSettled = blocks.note(place, isLate);
    }
    return isSettled;
  };
  return { world, blocks, during };
}

describe('a block that is not shown', () => {
  it('is settled after ten seconds of errors, and after five minutes where one was late', () => {
    expect(open().during(10_000, body)).toBe(true);
    const { blocks, during } = open();
    blocks.note(body, true);
    expect(during(290_000, body)).toBe(false);
    expect(during(10_000, body)).toBe(true);
  });

  it('is never settled by the view of the head', () => {
    const { during } = open();
    expect(during(600_000, { ...body, view: 'full' })).toBe(false);
    expect(during(0, body)).toBe(false);
  });

  it.each([{ hash: 'b' }, { part: 'receipts' }] as const)('says nothing of %j', (other) => {
    const { during } = open();
    during(20_000, body);
    expect(during(0, { ...body, ...other })).toBe(false);
  });

  it('begins anew after four minutes in which it was not asked for, and when it was shown', () => {
    const { world, blocks, during } = open();
    expect(during(20_000, body)).toBe(true);
    world.advance(240_001);
    expect(during(0, body)).toBe(false);
    expect(during(10_000, body)).toBe(true);
    blocks.forget(body);
    expect(during(0, body)).toBe(false);
  });

  it('that is late is remembered while all endpoints are asked, which takes minutes', () => {
    const { world, blocks } = open();
    blocks.note(body, true);
    world.advance(320_000);
    expect(blocks.note(body, true)).toBe(true);
    world.advance(600_001);
    expect(blocks.note(body, true)).toBe(false);
  });

  it('is forgotten beyond what is read at the same time', () => {
    const { blocks, during } = open();
    during(20_000, body);
    for (let place = 0; place < 1_000; place++) blocks.note({ ...body, hash: String(place) }, false);
    expect(during(0, body)).toBe(false);
  });
});
