// How old something is when weekends do not count, as for reference rates, which are not set on them.

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;
const WORKING_WEEK_S = 5 * DAY_S;
/** Unix time began on a Thursday; the first Monday after it is four days later. */
const FIRST_MONDAY_S = 4 * DAY_S;

/** Seconds from `at` to `now` (both Unix seconds), without Saturdays and Sundays in UTC; negative if `at` is later. */
export function weekdayAge(at: number, now: number): number {
  return weekdaySeconds(now) - weekdaySeconds(at);
}

/** Weekday seconds since the first Monday of Unix time. */
function weekdaySeconds(time: number): number {
  const sinceMonday = time - FIRST_MONDAY_S;
  const weeks = Math.floor(sinceMonday / WEEK_S);
  return weeks * WORKING_WEEK_S + Math.min(sinceMonday - weeks * WEEK_S, WORKING_WEEK_S);
}
