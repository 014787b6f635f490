// How long a session of the dashboard lives, and how long a second factor counts as fresh.

/** How far a sign-in is: a code is missing, an authenticator has to be set up, or nothing is missing. */
export type SessionStage = 'code-needed' | 'enrolment-needed' | 'signed-in';

export interface SessionLife {
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
}

/** Twelve hours after its password a session is over, whatever happens. */
const LIFE_MS = 12 * 60 * 60 * 1000;
/** An hour after its last request a session is over as well. */
const IDLE_MS = 60 * 60 * 1000;
/** A person who has entered only the password has this long for the rest of the sign-in. */
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
