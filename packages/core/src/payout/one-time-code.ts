// What a one-time code may do: each works once, and five wrong ones lock the action for a while (decision C6).
import { fieldInvalid } from '../refusal.ts';
import { accept, type Result, refuse } from '../result.ts';

/** What is remembered of the codes of an app. */
export interface CodeState {
  /** The time step of the newest code that was used; -1 before the first. */
  readonly lastStep: number;
  /** Wrong codes since the last right one. */
  readonly failures: number;
  /** Unix milliseconds until which every code is refused; 0 where none is. */
  readonly lockedUntilMs: number;
}

const MAX_FAILURES = 5;
const LOCK_MS = 15 * 60 * 1000;

/**
 * Uses a code. `step` is the time step that it fits, null where it fits none. The state is to be written whatever the
 * result says.
 */
export function useCode(
  state: CodeState,
  step: number | null,
  nowMs: number,
): { readonly state: CodeState; readonly result: Result<null> } {
  if (nowMs < state.lockedUntilMs) return { state, result: locked(state.lockedUntilMs, nowMs) };
  // mark: each-code-works-once
  if (step !== null && step > state.lastStep) {
    return { state: { lastStep: step, failures: 0, lockedUntilMs: 0 }, result: accept(null) };
  }
  const failures = state.failures + 1;
  if (failures < MAX_FAILURES) return { state: { ...state, failures }, result: wrong(step) };
  const lockedUntilMs = nowMs + LOCK_MS;
  return { state: { ...state, failures: 0, lockedUntilMs }, result: locked(lockedUntilMs, nowMs) };
}

/** Whether codes are refused now, and for how long; null where one may be tried. */
export function codeLock(state: CodeState, nowMs: number): Result<null> | null {
  return nowMs < state.lockedUntilMs ? locked(state.lockedUntilMs, nowMs) : null;
}

function wrong(step: number | null): Result<null> {
  const why = step === null ? 'is wrong' : 'was used before; wait for the next one';
  return refuse(fieldInvalid('otp_code', why));
}

function locked(untilMs: number, nowMs: number): Result<null> {
  const retryAfterS = Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
  const message = `otp_code was wrong too often: try again in ${retryAfterS} s`;
  return refuse({ code: 'code-locked', field: 'otp_code', message, retryAfterS });
}
