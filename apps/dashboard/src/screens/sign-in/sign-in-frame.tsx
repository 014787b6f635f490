// The card that stands alone before a person is signed in.
import { type ReactNode, useEffect } from 'react';
import icon from '../../style/icon.svg';
import { classNames } from '../../parts/class-names.ts';
import { words } from '../../words/words.ts';
import styles from './sign-in.module.css';

interface SignInFrameProps {
  readonly title: string;
  readonly under?: string;
  readonly children: ReactNode;
  readonly below?: ReactNode;
  /** Room for more than a form. */
  readonly wide?: boolean;
}

export function SignInFrame({ title, under, children, below, wide = false }: SignInFrameProps) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  return (
    <main className={styles['page']}>
      <div className={classNames(styles['column'], wide && styles['wide'])}>
        <div className={styles['mark']}>
          <img src={icon} alt="" />
          {words.product}
        </div>
        <div className={styles['card']}>
          <div className={styles['words']}>
            <h1>{title}</h1>
            {under !== undefined && <p>{under}</p>}
          </div>
          {children}
        </div>
        {below}
      </div>
    </main>
  );
}
