// One step of the set-up: done, to do now, or after the step before.
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import styles from './setup.module.css';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** Whether something that the step needs is not there yet. */
  readonly isLater?: boolean;
  readonly children: ReactNode;
}

export function Step({ number, title, isDone, isLater = false, children }: StepProps) {
  const { setup: text } = words;
  const badge = (
    <Badge tone={isDone ? 'paid' : isLater ? 'calm' : 'part'} icon={isDone ? 'done' : 'waiting'}>
      {isDone ? text.done : text.open}
    </Badge>
  );
  return (
    <Card title={`${number}. ${title}`} action={badge}>
      {isLater ? <p className={styles['later']}>{text.later}</p> : children}
    </Card>
  );
}
