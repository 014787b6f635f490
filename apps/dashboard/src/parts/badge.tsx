// A state as colour, icon and word together, so that no one of them carries it alone.
import {
  Check,
  CircleDashed,
  CircleDot,
  CircleSlash,
  Clock,
  type LucideIcon,
  TriangleAlert,
  X,
} from 'lucide-react';
import styles from './badge.module.css';
import { classNames } from './class-names.ts';

export type BadgeTone = 'calm' | 'seen' | 'part' | 'paid' | 'late' | 'error';

const icons = {
  waiting: CircleDashed,
  going: CircleDot,
  done: Check,
  late: Clock,
  warning: TriangleAlert,
  failed: X,
  off: CircleSlash,
} satisfies Record<string, LucideIcon>;

interface BadgeProps {
  readonly tone: BadgeTone;
  readonly icon: keyof typeof icons;
  readonly children: string;
}

export function Badge({ tone, icon, children }: BadgeProps) {
  const Icon = icons[icon];
  return (
    <span className={classNames(styles['badge'], styles[tone])}>
      <Icon size={12} strokeWidth={2.5} aria-hidden />
      {children}
    </span>
  );
}
