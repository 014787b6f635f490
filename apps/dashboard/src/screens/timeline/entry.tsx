// One entry of a timeline: when, what, and behind a click everything that is known about it.
import type { LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { BadgeTone } from '../../parts/badge.tsx';
import { longDay } from '../../format/times.ts';
import { Time } from '../../parts/time.tsx';
import { language } from '../../words/words.ts';
import styles from './timeline.module.css';

/** The time at which an entry is shown: `ended_at` of a collection that has ended, else `at`. */
interface Timed {
  readonly at: number;
  readonly ended_at?: number | null;
}

interface TimelineListProps<E extends Timed> {
  readonly entries: readonly E[];
  readonly children: (entry: E, place: number) => ReactNode;
}

/** The entries under their days, each of which is named once. */
export function TimelineList<E extends Timed>({ entries, children }: TimelineListProps<E>) {
  const days = entries.map(({ at, ended_at: ended }) => longDay(ended ?? at, language));
  return (
    <ol className={styles['list']}>
      {entries.map((entry, place) => (
        <Fragment key={place}>
          {days[place] !== days[place - 1] && <li className={styles['day']}>{days[place]}</li>}
          {children(entry, place)}
        </Fragment>
      ))}
    </ol>
  );
}

interface EntryProps {
  readonly at: number;
  readonly icon: LucideIcon;
  readonly tone?: BadgeTone;
  readonly title: ReactNode;
  readonly line?: ReactNode;
  /** The text of the button that opens the rest. */
  readonly moreLabel?: string;
  readonly more?: ReactNode;
}

export function Entry({ at, icon: Icon, tone = 'calm', title, line, moreLabel, more }: EntryProps) {
  return (
    <li className={styles['entry']}>
      <span className={styles['icon']} data-tone={tone}>
        <Icon size={14} aria-hidden />
      </span>
      <div className={styles['words']}>
        <div className={styles['title']}>{title}</div>
        {line !== undefined && line !== null && <div className={styles['line']}>{line}</div>}
        {more !== undefined && more !== null && (
          <details className={styles['more']}>
            <summary>{moreLabel}</summary>
            <div>{more}</div>
          </details>
        )}
      </div>
      <span className={styles['time']}>
        <Time at={at} form="clock" />
      </span>
    </li>
  );
}

interface RowsProps {
  /** Each row with its name, and the value at the right. */
  readonly rows: readonly (readonly [key: string, name: ReactNode, value: ReactNode])[];
}

export function Rows({ rows }: RowsProps) {
  return (
    <table className={styles['rows']}>
      <tbody>
        {rows.map(([key, name, value]) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td className={styles['end']}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Text exactly as it was sent. */
export function Bytes({ text }: { readonly text: string }) {
  return (
    // Long bodies scroll, so the keyboard has to reach them. Bytes have one order, whatever the language.
    <pre className={styles['bytes']} dir="ltr" tabIndex={0}>
      {text}
    </pre>
  );
}
