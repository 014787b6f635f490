// A slow receiver delays no other one: apps and their receivers take turns, and no share is passed.
import { describe, expect, it } from 'vitest';
import { type DueQueue, fairShare, type Places, type Queue } from './fair-share.ts';

function due(appId: string, receiver: string, dueEvents = 1, dueAtMs = 0): DueQueue {
  return { appId, receiver, dueAtMs, dueEvents };
}

function taken(appId: string, receiver: string, places: number): readonly Queue[] {
  return Array.from({ length: places }, () => ({ appId, receiver }));
}

const roomy: Places = { free: 100, maxPerApp: 100, maxPerReceiver: 8, taken: [], prefetch: [] };

function shares(queues: readonly DueQueue[], change: Partial<Places> = {}): Record<string, number> {
  const found = fairShare(queues, { ...roomy, ...change });
  return Object.fromEntries(
    found.map(({ appId, receiver, deliveries }) => [`${appId} ${receiver}`, deliveries]),
  );
}

describe('fairShare', () => {
  it.each<[string, readonly DueQueue[], Partial<Places>, Record<string, number>]>([
    ['gives nothing where nothing is due', [], {}, {}],
    ['gives what is due', [due('a', 'x', 3), due('a', 'y', 2)], {}, { 'a x': 3, 'a y': 2 }],
    ['gives nothing without a free place', [due('a', 'x')], { free: 0 }, {}],
    ['gives a receiver no more than it may have', [due('a', 'x', 20)], { maxPerReceiver: 5 }, { 'a x': 5 }],
    [
      'counts what a receiver has under way',
      [due('a', 'x', 20), due('a', 'y', 2)],
      { maxPerReceiver: 5, taken: taken('a', 'x', 3) },
      { 'a x': 2, 'a y': 2 },
    ],
    ['gives a full queue nothing', [due('a', 'x', 20)], { taken: taken('a', 'x', 8) }, {}],
    [
      'serves the receivers with the least under way first, then in turns',
      [due('a', 'x', 5), due('a', 'y', 5), due('a', 'z', 1, 5)],
      { free: 4, taken: taken('a', 'x', 2) },
      { 'a x': 1, 'a y': 2, 'a z': 1 },
    ],
    [
      'serves the apps in turns, however many receivers each has',
      [due('a', '1'), due('a', '2'), due('a', '3'), due('b', '1', 1, 5), due('b', '2', 1, 5)],
      { free: 4 },
      { 'a 1': 1, 'a 2': 1, 'b 1': 1, 'b 2': 1 },
    ],
    [
      'serves the app with the least under way first',
      [due('a', '1'), due('a', '2'), due('b', '1', 1, 5), due('b', '2', 1, 5)],
      { free: 3, taken: taken('a', 'any', 3) },
      { 'b 1': 1, 'b 2': 1, 'a 1': 1 },
    ],
    [
      'gives an app no more than its share of all places',
      [due('a', 'x', 8), due('a', 'y', 8), due('b', 'x')],
      { maxPerApp: 10, taken: taken('a', 'z', 4) },
      { 'a x': 3, 'a y': 3, 'b x': 1 },
    ],
    ['keeps apps apart that share a receiver', [due('b', 'x')], { taken: taken('a', 'x', 8) }, { 'b x': 1 }],
    [
      'gives what is prefetched on top, also to a full queue',
      [due('a', 'x', 8), due('a', 'y', 2)],
      { maxPerApp: 9, taken: taken('a', 'x', 8), prefetch: [{ appId: 'a', receiver: 'x', deliveries: 20 }] },
      { 'a y': 1, 'a x': 20 },
    ],
    [
      'prefetches nothing where nothing is due',
      [due('a', 'y')],
      { prefetch: [{ appId: 'a', receiver: 'x', deliveries: 20 }] },
      { 'a y': 1 },
    ],
  ])('%s', (_what, queues, change, expected) => {
    expect(shares(queues, change)).toEqual(expected);
  });

  it('gives what is due beside what is under way', () => {
    expect(shares([due('a', 'x', 2)], { taken: taken('a', 'x', 3) })).toEqual({ 'a x': 2 });
  });

  it.each<[string, readonly DueQueue[], string]>([
    ['its receiver that is due the longest', [due('a', 'x', 1, 5), due('a', 'y', 1, 3)], 'a y'],
    ['the first by name of those that are due alike', [due('a', 'y', 1, 3), due('a', 'x', 1, 3)], 'a x'],
    ['the app that is due the longest', [due('a', 'x', 1, 5), due('b', 'x', 1, 3)], 'b x'],
    ['the first by name of apps that are due alike', [due('b', 'x', 1, 3), due('a', 'y', 1, 3)], 'a y'],
  ])('gives a single place to %s, in whatever order they come', (_, queues, first) => {
    for (const all of [queues, queues.toReversed()]) expect(shares(all, { free: 1 })).toEqual({ [first]: 1 });
  });

  it('puts first the app that is served first', () => {
    const queues = [due('a', 'x', 2, 7), due('b', 'x', 1, 3)];
    expect(fairShare(queues, roomy).map(({ appId }) => appId)).toEqual(['b', 'a']);
  });
});
