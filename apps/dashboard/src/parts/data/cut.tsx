// A number, code or English text that may be too long for its cell: cut at its own end, also on a page from right to left.
import type { ReactNode } from 'react';
import styles from './cut.module.css';

interface CutProps {
  /** The whole text, shown when a pointer rests on it. */
  readonly title?: string;
  readonly lang?: string;
  readonly children: ReactNode;
}

export function Cut({ title, lang, children }: CutProps) {
  return (
    <bdi className={styles['cut']} title={title} lang={lang}>
      {children}
    </bdi>
  );
}
