// A code works once, never an older one after a newer one, and guessing is slow.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeLock, type CodeState, useCode } from './one-time-code.ts';

const fresh: CodeState = { lastStep: -1, failures: 0, lockedUntilMs: 0 };
const MINUTE = 60_000;

describe('useCode', () => {
  // hits mark: each-code-works-once
  it('takes each step once and only forwards, whatever comes in between', () => {
    const steps = fc.array(fc.option(fc.integer({ min: 0, max: 9 })), { maxLength: 30 });
    fc.assert(
      fc.property(steps, (tried) => {
        let state = fresh;
        const used: number[] = [];
        for (const step of tried) {
          const { state: next, result } = useCode(state, step, 0);
          if (result.ok && step !== null) used.push(step);
          state = next;
        }
        expect(used).toEqual([...new Set(used)].sort((a, b) => a - b));
      }),
    );
  });

  it('takes no text that fits no step for the first code', () => {
    expect(useCode(fresh, null, 0)).toMatchObject({
      state: { ...fresh, failures: 1 },
      result: { ok: false },
    });
    expect(useCode(fresh, 0, 0).result.ok).toBe(true);
  });

  it('locks for 15 minutes after the fifth failure in a row, a used code being one, and right codes too', () => {
    let state = useCode(fresh, 7, 0).state;
    for (const step of [null, 7, null, 3]) {
      const tried = useCode(state, step, 0);
      const why = step === null ? 'is wrong' : 'was used before; wait for the next one';
      const refusal = { code: 'field-invalid', field: 'otp_code', message: `otp_code ${why}` };
      expect(tried.result).toEqual({ ok: false, refusal });
      state = tried.state;
    }
    const fifth = useCode(state, null, 0);
    const message = 'otp_code was wrong too often: try again in 900 s';
    expect(fifth.result).toEqual({
      ok: false,
      refusal: { code: 'code-locked', field: 'otp_code', message, retryAfterS: 900 },
    });
    expect(fifth.state).toEqual({ lastStep: 7, failures: 0, lockedUntilMs: 15 * MINUTE });
    const late = useCode(fifth.state, 8, 15 * MINUTE - 1);
    expect(late).toMatchObject({ state: fifth.state, result: { ok: false, refusal: { retryAfterS: 1 } } });
    expect(codeLock(fifth.state, 15 * MINUTE - 1)).toEqual(late.result);
    expect(codeLock(fifth.state, 15 * MINUTE)).toBeNull();
    expect(useCode(fifth.state, 8, 15 * MINUTE)).toEqual({
      state: { lastStep: 8, failures: 0, lockedUntilMs: 0 },
      result: { ok: true, value: null },
    });
  });
});
