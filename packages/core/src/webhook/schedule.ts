// When a webhook is tried again: the contract's retry schedule, exactly.

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits between attempts in seconds, each counted from the end of the attempt before: 24 h 3 m 50 s in all. */
export const retryScheduleSeconds: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  3 * MINUTE,
  10 * MINUTE,
  20 * MINUTE,
  30 * MINUTE,
  30 * MINUTE,
  30 * MINUTE,
  60 * MINUTE,
  3 * HOUR,
  3 * HOUR,
  3 * HOUR,
  6 * HOUR,
  6 * HOUR,
];

/** The first attempt, and one after each wait of the schedule. */
export const MAX_ATTEMPTS = retryScheduleSeconds.length + 1;

/** Milliseconds until the next attempt after `attempts` were made, or null when the event is dead. */
export function nextAttemptInMs(attempts: number): number | null {
  const seconds = retryScheduleSeconds[attempts - 1];
  return seconds === undefined ? null : seconds * 1000;
}

/** An answer counts as success only with status 200 and a body that, trimmed, is `Success` (decision E3). */
export function isSuccess(httpStatus: number, body: string): boolean {
  return httpStatus === 200 && body.trim() === 'Success';
}
