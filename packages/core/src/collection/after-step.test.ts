// What follows a step of a collection, and what becomes of energy that was delegated for it.
import { describe, expect, it } from 'vitest';
import { mayBuildAnother } from '../outgoing/delegation.ts';
import { afterDelegation, type DelegatedEnergy } from './after-delegation.ts';
import { afterStep, failurePauseMs, MOST_FAILURES } from './after-step.ts';

describe('after a step', () => {
  const step = {
    state: 'moving',
    isDelegated: false,
    isSwept: false,
    step: 'succeeded',
    trouble: null,
    failures: 0,
  } as const;

  // hits mark: a-failed-collection-never-loops
  it('goes on, ends, is planned anew later, or waits for an operator', () => {
    expect(afterStep({ ...step, state: 'funding' })).toEqual({ kind: 'move' });
    const withEnergy = { ...step, isDelegated: true };
    expect(afterStep({ ...withEnergy, state: 'funding' })).toEqual({ kind: 'delegate' });
    expect(afterStep({ ...withEnergy, state: 'delegating' })).toEqual({ kind: 'move' });
    expect(afterStep(withEnergy)).toEqual({ kind: 'collected' });
    expect(afterStep(step)).toEqual({ kind: 'collected' });
    const hour = 3_600_000;
    const odd = 'the chain moved something else than was asked for';
    expect(afterStep({ ...step, step: 'mismatched' })).toEqual({ kind: 'freeze', reason: odd });
    for (const open of ['prepared', 'signed'] as const)
      expect(afterStep({ ...step, step: open })).toEqual({ kind: 'nothing' });
    for (const unsigned of ['waiting', 'cancelled'] as const) {
      const after = (trouble: string | null) => afterStep({ ...step, step: unsigned, trouble, failures: 1 });
      expect(after('no gas')).toEqual({ kind: 'again', reason: 'no gas', pauseMs: 4 * hour });
      expect(after(null)).toMatchObject({ reason: 'it was taken back before anything was signed' });
      expect(afterStep({ ...step, step: unsigned, isSwept: true })).toMatchObject({ pauseMs: hour / 60 });
    }
    const failed = Array.from({ length: MOST_FAILURES }, (_, failures) =>
      afterStep({ ...step, step: 'failed', failures }),
    );
    expect(failed).toEqual([
      { kind: 'again', reason: 'the transfer failed on the chain', pauseMs: hour },
      { kind: 'again', reason: 'the transfer failed on the chain', pauseMs: 4 * hour },
      { kind: 'freeze', reason: 'the transfer failed on the chain 3 times in a row' },
    ]);
    expect([0, 1, 2, 3, 4, 5_000].map((failures) => failurePauseMs(failures) / hour)).toEqual([
      1, 1, 4, 16, 24, 24,
    ]);
  });
});

describe('energy that was delegated', () => {
  const out: DelegatedEnergy = {
    delegated: 'succeeded',
    returned: null,
    returnedAtMs: null,
    returns: 0,
    isStuck: false,
    report: null,
    goneSinceMs: null,
  };
  const hour = 3_600_000;
  // hits mark: gone-only-after-an-hour
  // hits mark: taken-back-again-only-after-a-pause
  it.each<[string, Partial<DelegatedEnergy>, object]>([
    ['was never asked for', { delegated: null }, { kind: 'over', how: 'never' }],
    ['never was', { delegated: 'failed' }, { kind: 'over', how: 'never' }],
    ['was taken back before it was signed', { delegated: 'cancelled' }, { kind: 'over', how: 'never' }],
    ['has its place, and may be signed', { delegated: 'prepared' }, { kind: 'wait' }],
    ['may be there in part', { delegated: 'mismatched' }, { kind: 'ask' }],
    ['is about to be asked back', { returned: 'waiting' }, { kind: 'wait' }],
    ['has a place on its way back', { returned: 'prepared', report: 'gone' }, { kind: 'wait' }],
    ['came back in another way', { returned: 'mismatched', report: 'delegated' }, { kind: 'undelegate' }],
    ['waits to be signed', { delegated: 'waiting' }, { kind: 'cancel' }],
    ['may be in a block', { delegated: 'signed' }, { kind: 'wait' }],
    ['is there by the books', {}, { kind: 'ask' }],
    ['is there by the chain too', { report: 'delegated' }, { kind: 'undelegate' }],
    ['is on its way back', { returned: 'signed', report: 'gone' }, { kind: 'wait' }],
    ['is asked back in vain', { returned: 'waiting', isStuck: true }, { kind: 'cancel' }],
    ['was asked back in vain', { returned: 'cancelled', report: 'delegated' }, { kind: 'undelegate' }],
    [
      'was asked back in vain just now',
      { returned: 'failed', report: 'delegated', returns: 1, returnedAtMs: 1 },
      { kind: 'pause', untilMs: hour + 1 },
    ],
    [
      'was asked back in vain an hour ago',
      { returned: 'failed', report: 'delegated', returns: 1, returnedAtMs: 0 },
      { kind: 'undelegate' },
    ],
    [
      'was asked back in vain again and again',
      { returned: 'cancelled', report: 'delegated', returns: 9, returnedAtMs: 0 },
      { kind: 'pause', untilMs: 24 * hour },
    ],
    ['is back', { returned: 'succeeded' }, { kind: 'over', how: 'returned' }],
    ['is gone', { report: 'gone' }, { kind: 'doubt' }],
    ['is gone for long', { report: 'gone', goneSinceMs: 1 }, { kind: 'doubt' }],
    ['is gone for an hour', { report: 'gone', goneSinceMs: 0 }, { kind: 'over', how: 'taken' }],
    ['is there again', { report: 'delegated', goneSinceMs: 0 }, { kind: 'undelegate' }],
  ])('%s', (_, change, expected) => {
    expect(afterDelegation({ ...out, ...change }, hour)).toEqual(expected);
  });

  // hits mark: a-delegation-is-built-so-often
  it('is built anew six times, where a transfer is built as often as it takes', () => {
    const delegation = { action: 'undelegate', staker: { address: '41', permission: 2 } } as const;
    expect([5, 6].map((built) => mayBuildAnother(delegation, built))).toEqual([true, false]);
    expect(mayBuildAnother(null, 600)).toBe(true);
  });
});
