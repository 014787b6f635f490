// What was read ahead is taken once, only for the very range, and never after it was forgotten.
import { describe, expect, it } from 'vitest';
import type { ChainBlock } from '../../chains/port.ts';
import { Outage } from '../../runtime/outage.ts';
import { createReadAhead } from './read-ahead.ts';

function block(number: number): ChainBlock {
  return { header: { number, hash: `${number}`, parentHash: '', time: 0 }, transfers: [], untraced: [] };
}

function recording() {
  const asked: (readonly number[])[] = [];
  const ahead = createReadAhead((range) => {
    asked.push(range);
    return Promise.resolve(range.map(block));
  });
  return { asked, ahead };
}

describe('createReadAhead', () => {
  it('gives what was begun, and reads it once', async () => {
    const { asked, ahead } = recording();
    ahead.begin([4, 5]);
    expect(await ahead.take([4, 5])).toEqual([block(4), block(5)]);
    expect(asked).toEqual([[4, 5]]);
    await ahead.take([4, 5]);
    expect(asked).toEqual([
      [4, 5],
      [4, 5],
    ]);
  });

  it.each([[[4]], [[5, 6]], [[4, 5, 6]]])('reads %j anew where 4 and 5 were begun', async (range) => {
    const { asked, ahead } = recording();
    ahead.begin([4, 5]);
    expect(await ahead.take(range)).toEqual(range.map(block));
    expect(asked).toEqual([[4, 5], range]);
  });

  it('reads anew what was forgotten', async () => {
    const { asked, ahead } = recording();
    ahead.begin([4]);
    ahead.forget();
    await ahead.take([4]);
    expect(asked).toEqual([[4], [4]]);
  });

  it('throws the trouble of what was begun at whoever takes it, and at nobody else', async () => {
    const trouble = new Outage('gone', { retryable: true });
    const ahead = createReadAhead(() => Promise.reject(trouble));
    ahead.begin([1]);
    await expect(ahead.take([1])).rejects.toBe(trouble);
    ahead.begin([2]);
    ahead.forget();
    // Were it nobody's and unhandled, the test's process would end with it.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
