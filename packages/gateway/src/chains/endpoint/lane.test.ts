// The lane: one after the other, and a failure does not block those behind it.
import { expect, it } from 'vitest';
import { createLane } from './lane.ts';

it('runs one at a time, in order, past a failure', async () => {
  const lane = createLane();
  const seen: string[] = [];
  const work = (name: string, fails: boolean) => async (): Promise<string> => {
    seen.push(`${name} in`);
    await Promise.resolve();
    seen.push(`${name} out`);
    if (fails) throw new Error(name);
    return name;
  };
  const results = await Promise.allSettled([
    lane(work('a', false)),
    lane(work('b', true)),
    lane(work('c', false)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});
