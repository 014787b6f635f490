// How long it takes until what is not shown counts as never shown: by view, hash and kind of failure.
import { describe, expect, it } from 'vitest';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import type { Outlasted } from '../endpoint/patience.ts';
import { UnshownBlocks } from './unshown-blocks.ts';

const body = { view: 'solid', hash: 'a', part: 'body' } as const;

function open() {
  const world = manualWorld();
  const blocks = new UnshownBlocks(world);
  /** Notes it every five seconds for so long. */
  const during = (ms: number, place: Parameters<UnshownBlocks['note']>[0], isLate = false): Outlasted => {
    let outlasted = blocks.note(place, isLate);
    for (let at = 0; at < ms; at += 5_000) {
      world.advance(5_000);
      outlasted = blocks.note(place, isLate);
    }
    return outlasted;
  };
  return { world, blocks, during };
}

describe('a block that is not shown', () => {
  it('is settled after ten seconds of errors, and after five minutes where one was late', () => {
    expect(open().during(10_000, body)).toBe('short');
    const { blocks, during } = open();
    blocks.note(body, true);
    expect(during(290_000, body)).toBe('none');
    expect(during(10_000, body)).toBe('long');
  });

  it('is never settled by the view of the head', () => {
    const { during } = open();
    expect(during(600_000, { ...body, view: 'full' })).toBe('none');
    expect(during(0, body)).toBe('none');
  });

  it.each([{ hash: 'b' }, { part: 'receipts' }] as const)('says nothing of %j', (other) => {
    const { during } = open();
    during(20_000, body);
    expect(during(0, { ...body, ...other })).toBe('none');
  });

  it('begins anew when it was shown', () => {
    const { blocks, during } = open();
    expect(during(20_000, body)).toBe('short');
    blocks.forget(body);
    expect(during(0, body)).toBe('none');
    expect(during(290_000, body)).toBe('short');
    expect(during(10_000, body)).toBe('long');
  });

  it('begins anew for the short patience alone when it was shown and nothing proved it', () => {
    const { world, blocks, during } = open();
    expect(during(20_000, body)).toBe('short');
    blocks.noteShown(body);
    world.advance(5_000);
    expect(during(5_000, body)).toBe('none');
    expect(during(5_000, body)).toBe('short');
    // hits mark: unproven-showing-renews-no-long-patience
    for (let ms = 0; ms < 260_000; ms += 10_000) {
      blocks.noteShown(body);
      world.advance(10_000);
      expect(blocks.note(body, false)).toBe('none');
    }
    world.advance(5_000);
    expect(blocks.note(body, false)).toBe('long');
  });

  it.each([false, true])(
    'is settled by three askings however far apart, and by no two (late: %s)',
    (isLate) => {
      const { world, blocks } = open();
      expect(blocks.note(body, isLate)).toBe('none');
      world.advance(3_600_000);
      expect(blocks.note(body, isLate)).toBe('none');
      // Of what was not asked meanwhile half of the patience counts, so the other half is still to come.
      world.advance(4_999);
      expect(blocks.note(body, isLate)).toBe('none');
      world.advance(isLate ? 150_000 : 5_000);
      expect(blocks.note(body, isLate)).toBe(isLate ? 'long' : 'short');
    },
  );

  it('is not settled by a clock that was put back', () => {
    const { world, blocks } = open();
    blocks.note(body, false);
    world.advance(-3_600_000);
    expect(blocks.note(body, false)).toBe('none');
    world.advance(4_999);
    expect(blocks.note(body, false)).toBe('none');
  });

  it('is forgotten beyond what is read at the same time', () => {
    const { blocks, during } = open();
    during(20_000, body);
    for (let place = 0; place < 1_000; place++) blocks.note({ ...body, hash: String(place) }, false);
    expect(during(0, body)).toBe('none');
  });
});
