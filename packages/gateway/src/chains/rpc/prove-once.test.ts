// When the identity of a provider is proven, and when again.
import { expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { proveOnce } from './prove-once.ts';

it('proves the identity once before the first work, and again after a failure', async () => {
  let proofs = 0;
  const proven = proveOnce(null, async () => {
    proofs++;
  });
  const fail = (error: Error) => () => Promise.reject(error);
  expect(await Promise.all([proven(async () => 1), proven(async () => 2)])).toEqual([1, 2]);
  expect(proofs).toBe(1);
  await expect(proven(fail(new Outage('not there', { kind: 'not-yet' })))).rejects.toThrow('not there');
  await expect(proven(fail(new Outage('pruned', { kind: 'unsupported' })))).rejects.toThrow('pruned');
  await proven(async () => 3);
  expect(proofs).toBe(1);
  await expect(proven(fail(new Outage('gone')))).rejects.toThrow('gone');
  await proven(async () => 4);
  expect(proofs).toBe(2);
});

it('does not work where the identity is not proven, and tries to prove it each time', async () => {
  let answer: 'wrong' | 'right' = 'wrong';
  let worked = 0;
  const proven = proveOnce(null, async () => {
    if (answer === 'wrong') throw new Outage('is on the wrong chain', { kind: 'invalid' });
  });
  const work = () => proven(async () => ++worked);
  await expect(work()).rejects.toThrow('wrong chain');
  await expect(work()).rejects.toThrow('wrong chain');
  expect(worked).toBe(0);
  answer = 'right';
  expect(await work()).toBe(1);
});

it.each(['throttled', 'not-yet', 'unsupported', 'unavailable', 'invalid'] as const)(
  'is proven by the next call where the proof itself fails, here as %s',
  async (kind) => {
    let proofs = 0;
    const proven = proveOnce(null, async () => {
      if (++proofs === 1) throw new Outage('not now', { kind });
    });
    await expect(proven(async () => 1)).rejects.toThrow('not now');
    expect(await proven(async () => 2)).toBe(2);
  },
);

it('takes whatever else goes wrong for an invalid answer', async () => {
  const proven = proveOnce(null, async () => undefined);
  const work = proven(async () => {
    throw new TypeError('undefined is not a function');
  });
  await expect(work).rejects.toMatchObject({ name: 'Outage', kind: 'invalid' });
});
