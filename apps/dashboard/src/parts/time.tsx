// A moment by the person's clock; a pointer that rests on it shows UTC.
import { clockTime, exactTime, relativeTime, shortTime, utcTime } from '../format/times.ts';
import { language } from '../words/words.ts';
import { useNow } from './use-now.ts';

interface TimeProps {
  readonly at: number;
  readonly form?: 'short' | 'exact' | 'clock' | 'relative';
}

export function Time({ at, form = 'short' }: TimeProps) {
  const now = useNow();
  const text = {
    short: shortTime,
    relative: relativeTime,
    exact: () => exactTime(at, language),
    clock: () => clockTime(at, language),
  }[form](at, now, language);
  return (
    <time dateTime={new Date(at * 1_000).toISOString()} title={utcTime(at)}>
      {text}
    </time>
  );
}
