// An empty place: why it is empty, and what to do about it.
import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './answer.module.css';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Whether nothing else is on the screen, which then has no other title. */
  readonly alone?: boolean;
  /** In a card among others. */
  readonly small?: boolean;
}

export function Empty({ title, children, action, alone = false, small = false }: EmptyProps) {
  const Title = alone ? 'h1' : 'h2';
  return (
    <div className={classNames(styles['state'], small && styles['small'])}>
      {!small && <Inbox size={24} strokeWidth={1.5} aria-hidden />}
      <Title>{title}</Title>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}
