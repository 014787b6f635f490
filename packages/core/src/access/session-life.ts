// How long a session of the dashboard lives, and how long a second factor counts as fresh.

/** Where signing in is: a code is missing, an authenticator is, or nothing. */
export type SessionStage = 'code-needed' | 'enrolment-needed' | 'signed-in';

export interface SessionLife {
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
}

/** Twelve hours after its password a session is over, whatever happens. */
const LIFE_MS = 12 * 60 * 60 * 1000;
/** And an hour after the last request. */
const IDLE_MS = 60 * 60 * 1000;
/** Who has entered a password only has this long for the rest. */
const HALF_LIFE_MS = 10 * 60 * 1000;
const STEP_UP_MS = 5 * 60 * 1000;

/** When a session that begins now is over. */
export function sessionEndsAt(stage: SessionStage, nowMs: number): number {
  return nowMs + (stage === 'signed-in' ? LIFE_MS : HALF_LIFE_MS);
}

export function isAlive({ seenAtMs, expiresAtMs }: SessionLife, nowMs: number): boolean {
  return nowMs < expiresAtMs && nowMs - seenAtMs < IDLE_MS;
}

/** Until when a second factor that was shown now counts as fresh. */
export function stepUpEndsAt(nowMs: number): number {
  return nowMs + STEP_UP_MS;
}
