// Spans and points of time in the words of a language.

/** "2 minutes", "40 seconds": rounded, since it is an estimate. */
export function spanText(language: string, seconds: number): string {
  const [value, unit] =
    seconds < 55
      ? ([Math.max(5, Math.ceil(seconds / 5) * 5), 'second'] as const)
      : seconds < 3_300
        ? ([Math.round(seconds / 60), 'minute'] as const)
        : ([Math.round(seconds / 3_600), 'hour'] as const);
  return exactText(language, value, unit);
}

/** A number of units, in the plural form of the language. */
export function exactText(
  language: string,
  value: number,
  unit: 'second' | 'minute' | 'hour' | 'day',
): string {
  const style = {
    style: 'unit',
    unit,
    unitDisplay: unit === 'second' || unit === 'minute' ? 'short' : 'long',
  } as const;
  return new Intl.NumberFormat(`${language}-u-nu-latn`, style).format(value);
}

const DAY_S = 86_400;

/** "13:42", or "2:13:42" where it is more than an hour, or days in words. */
export function clockText(language: string, seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  if (left > 2 * DAY_S) return exactText(language, Math.floor(left / DAY_S), 'day');
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(left / 3_600);
  const minutes = Math.floor((left % 3_600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(left % 60)}`;
}

/** Day and time of a Unix time; on the server in UTC, in the browser in its own zone. */
export function timeText(language: string, at: number, timeZone?: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(`${language}-u-nu-latn-ca-gregory`, style).format(at * 1_000);
}
