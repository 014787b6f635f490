// Shows that ids carry enough chance, sort by time and have a fixed form.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createEventIds,
  firstIdAt,
  newAppId,
  newMerchantId,
  newRequestId,
  newTradeNo,
  secondOfId,
} from './ids.ts';

const BYTES = 13;

function sourceAt(nowMs: number, random: Uint8Array = randomBytes(BYTES)) {
  return { nowMs: () => nowMs, random: () => random };
}

describe('an id', () => {
  it.each([
    ['ord', newTradeNo],
    ['app', newAppId],
    ['mer', newMerchantId],
    ['evt', (source: ReturnType<typeof sourceAt>) => createEventIds(source)()],
    ['req', newRequestId],
  ])('begins with %s_ and has ten characters of time and twenty of chance', (prefix, make) => {
    expect(make(sourceAt(1_763_626_800_000))).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{30}$`));
  });

  it('asks for 13 bytes of chance', () => {
    const asked: number[] = [];
    newTradeNo({
      nowMs: () => 0,
      random: (bytes) => {
        asked.push(bytes);
        return new Uint8Array(bytes);
      },
    });
    expect(asked).toEqual([BYTES]);
  });

  it('sorts by time whatever the chance', () => {
    const low = new Uint8Array(BYTES);
    const high = new Uint8Array(BYTES).fill(255);
    const times = [0, 1, 31, 32, 1_763_626_800_000, 1_763_626_800_001, 2 ** 48 - 1];
    const ids = times.flatMap((time) => [newTradeNo(sourceAt(time, low)), newTradeNo(sourceAt(time, high))]);
    expect([...ids].sort()).toEqual(ids);
  });

  it('differs with any bit of the last 100', () => {
    const ids = new Set<string>();
    for (let bit = 0; bit < 100; bit++) {
      const bytes = new Uint8Array(BYTES);
      bytes[BYTES - 1 - Math.floor(bit / 8)] = 1 << (bit % 8);
      ids.add(newTradeNo(sourceAt(5, bytes)));
    }
    expect(ids.size).toBe(100);
  });
});

describe('firstIdAt', () => {
  it('parts the ids of before from those of then and later', () => {
    const first = firstIdAt('ord', 1_763_626_800_000);
    const before = newTradeNo(sourceAt(1_763_626_799_999, new Uint8Array(BYTES).fill(255)));
    const then = newTradeNo(sourceAt(1_763_626_800_000, new Uint8Array(BYTES)));
    expect([then, first, before].sort()).toEqual([before, first, then]);
    expect([secondOfId(then), secondOfId(first), secondOfId(before)]).toEqual([
      1_763_626_800, 1_763_626_800, 1_763_626_799,
    ]);
    expect([secondOfId('ord_none'), secondOfId(`ord_${'z'.repeat(10)}`)]).toEqual([0, 9_999_999_999]);
  });
});

describe('ids of events', () => {
  it('stand in the order in which they were made, also within one millisecond', () => {
    const times = [5, 5, 5, 6, 6];
    const newEventId = createEventIds({
      nowMs: () => times.shift() ?? 7,
      random: (bytes) => randomBytes(bytes),
    });
    const ids = Array.from({ length: 6 }, newEventId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(6);
  });

  it('go on in order where the lower half of the chance is used up', () => {
    const lowerIsFull = new Uint8Array(BYTES).fill(255, 7);
    lowerIsFull[6] = 3;
    const newEventId = createEventIds({ nowMs: () => 5, random: () => lowerIsFull });
    const ids = [newEventId(), newEventId(), newEventId()].map((id) => id.slice(-20));
    expect(ids).toEqual(['0000000000zzzzzzzzzz', '00000000010000000000', '00000000010000000001']);
  });
});
