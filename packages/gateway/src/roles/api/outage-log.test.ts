// An outage under load writes a line a second, with how many requests it stands for.
import { expect, it } from 'vitest';
import { realWorld } from '../../runtime/world.ts';
import { createOutageLog } from './outage-log.ts';

it('writes the first request at once, then one line a second, also after the clock was set back', () => {
  let nowMs = 10_000;
  const lines: object[] = [];
  const error = (fields: object) => void lines.push(fields);
  const note = createOutageLog({ ...realWorld, nowMs: () => nowMs }, { info() {}, warn() {}, error });
  const err = new Error('away');
  for (const [atMs, requestId] of [
    [10_000, 'a'],
    [10_001, 'b'],
    [10_999, 'c'],
    [11_000, 'd'],
    [9_000, 'e'],
    [9_500, 'f'],
  ] as const) {
    nowMs = atMs;
    note(requestId, err);
  }
  expect(lines).toEqual([
    { requestId: 'a', err, since_last: 0 },
    { requestId: 'd', err, since_last: 2 },
    { requestId: 'e', err, since_last: 0 },
  ]);
});
