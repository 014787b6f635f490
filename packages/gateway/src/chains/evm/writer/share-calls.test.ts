// Equal questions share one answer while it is under way, and no longer.
import { expect, it } from 'vitest';
import { shareCalls } from './share-calls.ts';

it('asks once at a time, and anew after an answer or an error', async () => {
  const asked: string[] = [];
  let trouble: Error | null = null;
  const rpc = shareCalls({
    call: (method) => {
      asked.push(method);
      return trouble === null ? Promise.resolve(asked.length) : Promise.reject(trouble);
    },
  });
  const ask = (method: string, to = 'a') => rpc.call(method, [to]);
  expect(await Promise.all([ask('one'), ask('two'), ask('one'), ask('one', 'b')])).toEqual([1, 2, 1, 3]);
  expect(await ask('one')).toBe(4);
  trouble = new Error('away');
  expect(await Promise.allSettled([ask('one'), ask('one')])).toEqual(
    Array(2).fill({ status: 'rejected', reason: trouble }),
  );
  trouble = null;
  expect(await ask('one')).toBe(6);
});
