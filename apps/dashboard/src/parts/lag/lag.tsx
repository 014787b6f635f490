// How far behind something is: quiet while that is as it should be, with a sign where it is not.
import { TriangleAlert } from 'lucide-react';
import { durationText } from '../../format/times.ts';
import { language } from '../../words/words.ts';
import styles from './lag.module.css';

interface LagProps {
  readonly seconds: number;
  readonly isLate: boolean;
}

export function Lag({ seconds, isLate }: LagProps) {
  const text = durationText(seconds, language);
  if (!isLate) return text;
  return (
    <span className={styles['late']}>
      <TriangleAlert size={14} aria-hidden /> {text}
    </span>
  );
}
