// Nothing is here: why, and what to do about it.
import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './answer.module.css';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={styles['state']}>
      <Inbox size={24} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}
