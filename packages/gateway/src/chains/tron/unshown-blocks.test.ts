// How long it takes until what is not shown counts as never shown: by view, hash and kind of failure.
import { describe, expect, it } from 'vitest';
import { manualWorld } from '../testing/manual-world.ts';
import { UnshownBlocks } from './unshown-blocks.ts';

const body = { view: 'solid', hash: 'a', part: 'body' } as const;

function open() {
  const world = manualWorld();
  const blocks = new UnshownBlocks(world);
  /** Notes it every five seconds for so long. */
  const during = (ms: number, place: Parameters<UnshownBlocks['note']>[0], isLate = false): boolean => {
    let isSettled = blocks.note(place, isLate);
    for (let at = 0; at < ms; at += 5_000) {
      world.advance(5_000);
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

  it('begins anew when it was shown', () => {
    const { blocks, during } = open();
    expect(during(20_000, body)).toBe(true);
    blocks.forget(body);
    expect(during(0, body)).toBe(false);
    expect(during(10_000, body)).toBe(true);
  });

  it.each([false, true])(
    'is settled by three askings however far apart, and by no two (late: %s)',
    (isLate) => {
      const { world, blocks } = open();
      expect(blocks.note(body, isLate)).toBe(false);
      world.advance(3_600_000);
      expect(blocks.note(body, isLate)).toBe(false);
      // Of what was not asked meanwhile half of the patience counts, so the other half is still to come.
      world.advance(4_999);
      expect(blocks.note(body, isLate)).toBe(false);
      world.advance(150_000);
      expect(blocks.note(body, isLate)).toBe(true);
    },
  );

  it('is not settled by a clock that was put back', () => {
    const { world, blocks } = open();
    blocks.note(body, false);
    world.advance(-3_600_000);
    expect(blocks.note(body, false)).toBe(false);
    world.advance(4_999);
    expect(blocks.note(body, false)).toBe(false);
  });

  it('is forgotten beyond what is read at the same time', () => {
    const { blocks, during } = open();
    during(20_000, body);
    for (let place = 0; place < 1_000; place++) blocks.note({ ...body, hash: String(place) }, false);
    expect(during(0, body)).toBe(false);
  });
});
