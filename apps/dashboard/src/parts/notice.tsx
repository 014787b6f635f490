// A sentence that must be seen before going on.
import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone: 'calm' | 'seen' | 'part' | 'paid' | 'error';
  readonly children: ReactNode;
  /** Spoken at once where it appears after an act. */
  readonly live?: boolean;
}

export function Notice({ tone, children, live = false }: NoticeProps) {
  const Icon = tone === 'paid' ? CircleCheck : tone === 'calm' || tone === 'seen' ? Info : TriangleAlert;
  return (
    <div className={classNames(styles['notice'], styles[tone])} role={live ? 'alert' : undefined}>
      <Icon size={16} aria-hidden />
      <div className={styles['body']}>{children}</div>
    </div>
  );
}
