// The one button. Its words name the effect, so it never says "OK".
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import spin from './spin.module.css';

export type Tone = 'primary' | 'plain' | 'quiet' | 'danger' | 'dangerous';

interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  readonly busy?: boolean;
  readonly square?: boolean;
  readonly wide?: boolean;
}

export function Button({
  tone = 'plain',
  icon,
  busy = false,
  square,
  wide,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classNames(buttonClass(tone), square && styles['square'], wide && styles['wide'], className)}
    >
      {busy ? <LoaderCircle size={16} className={spin['spin']} aria-hidden /> : icon}
      {children}
    </button>
  );
}

/** For a link that looks like a button. */
export function buttonClass(tone: Tone): string {
  return classNames(styles['button'], styles[tone]);
}
