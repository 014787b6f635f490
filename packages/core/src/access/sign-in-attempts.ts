// How many wrong passwords an account takes before it is locked for a while.

/** What is remembered of an e-mail address, whether there is an account of it or not. */
export interface SignInAttempts {
  /** Wrong passwords since the last right one. */
  readonly failures: number;
  /** Unix milliseconds until which every password is refused; 0 where none is. */
  readonly lockedUntilMs: number;
}

export const noAttempts: SignInAttempts = { failures: 0, lockedUntilMs: 0 };

const MAX_FAILURES = 10;
const LOCK_MS = 15 * 60 * 1000;

/** Seconds until a password is looked at again; 0 where it is now. */
export function lockedForS({ lockedUntilMs }: SignInAttempts, nowMs: number): number {
  return nowMs < lockedUntilMs ? Math.ceil((lockedUntilMs - nowMs) / 1000) : 0;
}

/**
 * Counts an attempt before its password is looked at, so that guesses made side by side are counted like those made one
 * after the other. A right password resets the count.
 */
export function countAttempt(before: SignInAttempts, nowMs: number): SignInAttempts {
  const failures = before.failures + 1;
  return failures < MAX_FAILURES
    ? { failures, lockedUntilMs: 0 }
    : { failures: 0, lockedUntilMs: nowMs + LOCK_MS };
}
