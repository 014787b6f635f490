// How times are written: the person's own clock, and UTC to compare with a log.

const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** Today only the clock, this year without the year. */
export function shortTime(seconds: number, now: number, language: string): string {
  const [at, today] = [new Date(seconds * 1_000), new Date(now * 1_000)];
  if (at.toDateString() === today.toDateString()) return at.toLocaleTimeString(language, clock);
  const isThisYear = at.getFullYear() === today.getFullYear();
  return at.toLocaleString(language, isThisYear ? { ...options, ...clock } : { ...options, year: 'numeric' });
}

/** To the second, as a timeline needs it. */
export function exactTime(seconds: number, language: string): string {
  return new Date(seconds * 1_000).toLocaleString(language, { ...options, ...clock, second: '2-digit' });
}

/** To the second, below the day that it is of. */
export function clockTime(seconds: number, language: string): string {
  return new Date(seconds * 1_000).toLocaleTimeString(language, { ...clock, second: '2-digit' });
}

/** "Tuesday, November 24", of the person's own clock. */
export function longDay(seconds: number, language: string): string {
  return new Date(seconds * 1_000).toLocaleDateString(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
}

/** 2026-11-22 14:03:41 UTC */
export function utcTime(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const lengths = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** "Mon, Nov 23": a day of UTC. */
export function dayText(seconds: number, language: string): string {
  return new Date(seconds * 1_000).toLocaleDateString(language, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
}

/** "40 sec", "6 days": two of a unit at least, so that nothing is rounded by half. */
export function durationText(seconds: number, language: string): string {
  const [unit, size] = lengths.find(([, length]) => seconds >= 2 * length) ?? lengths[3];
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' });
  return format.format(Math.floor(seconds / size));
}

/** "180 ms": how long something took. */
export function millisecondsText(ms: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' }).format(
    ms,
  );
}

/** "3 minutes ago", "in 2 days". */
export function relativeTime(seconds: number, now: number, language: string): string {
  const distance = seconds - now;
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const;
  const [unit, size] = units.find(([, length]) => Math.abs(distance) >= length) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(distance / size), unit);
}
