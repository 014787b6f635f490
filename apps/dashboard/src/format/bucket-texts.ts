// The texts of one span of a chart: its label, and below the chart the day or the hour that begins with it.

const DAY_S = 86_400;
const HOUR_S = 3_600;
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

interface BucketTexts {
  readonly label: string;
  /** Null where the span belongs to the same day as the span before. */
  readonly tick: string | null;
}

/**
 * A day is a day of UTC: "Nov 25". Hours are by the person's own clock: "Wed 14:00" for one hour, "Wed 25, 06:00 - 12:00"
 * for several. Below several hours stands the day alone.
 */
export function bucketTexts(
  start: number,
  seconds: number,
  before: number | undefined,
  language: string,
): BucketTexts {
  const at = new Date(start * 1_000);
  if (seconds >= DAY_S) {
    // A bucket begins at midnight UTC. West of Greenwich the local date is then still the day before.
    const day = at.toLocaleDateString(language, { timeZone: 'UTC', day: 'numeric', month: 'short' });
    return { label: `${day}, UTC`, tick: day };
  }
  const hour = at.toLocaleTimeString(language, clock);
  if (seconds <= HOUR_S) {
    const weekday = at.toLocaleDateString(language, { weekday: 'short' });
    return { label: `${weekday} ${hour}`, tick: hour };
  }
  const dayOf = (time: number) => {
    const date = new Date(time * 1_000);
    return `${date.toLocaleDateString(language, { weekday: 'short' })} ${date.getDate()}`;
  };
  const end = new Date((start + seconds) * 1_000).toLocaleTimeString(language, clock);
  const day = dayOf(start);
  const isFirst = before === undefined || dayOf(before) !== day;
  return { label: `${day}, ${hour} \u2013 ${end}`, tick: isFirst ? day : null };
}
