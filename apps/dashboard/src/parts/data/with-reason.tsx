// A badge with the reason for it below: most rows have none, so it has no column of its own.
import type { ReactNode } from 'react';
import styles from './with-reason.module.css';

interface WithReasonProps {
  readonly reason: ReactNode;
  readonly children: ReactNode;
}

export function WithReason({ reason, children }: WithReasonProps) {
  if (reason === null || reason === '') return children;
  return (
    <span className={styles['both']}>
      {children}
      <bdi className={styles['reason']}>{reason}</bdi>
    </span>
  );
}
