// Each pause follows from the time of a block, between its least and its longest.
import { expect, it } from 'vitest';
import { lookMs, pauseMs, replaceAfterMs, restMs, roundMs } from './pace.ts';

it.each([
  ['roundMs', roundMs, [0, 400, 402, 2_000, 2_002], [200, 200, 201, 1_000, 1_000]],
  [
    'restMs',
    (rounds: number) => restMs(800, rounds),
    [0, 4, 5, 6, 7, 8, 99_999],
    [400, 400, 800, 1_600, 3_200, 4_000, 4_000],
  ],
  ['lookMs', lookMs, [0, 3_333, 3_334, 10_000, 10_001], [10_000, 10_000, 10_002, 30_000, 30_000]],
  ['replaceAfterMs', replaceAfterMs, [0, 5_000, 5_001, 12_000], [15_000, 15_000, 15_003, 36_000]],
  ['pauseMs', pauseMs, [0, 1, 2, 5, 6, 5_000], [2_000, 2_000, 4_000, 32_000, 60_000, 60_000]],
] as const)('%s', (_, pace, given, expected) => {
  expect(given.map(pace)).toEqual(expected);
});
